"""How long each part of a recovery may take, in seconds, on an idle computer.

``browser.hang_patience`` multiplies the limits after which a page counts as hung.
"""

# Does a page respond?
PROBE_S = 0.015  # an idle renderer replies within 1 to 2 ms
SLOWEST_PROBE_S = 0.4  # the longest probe if the browser process is slow too
SLOW_BROWSER_S = 3.0  # if the browser process is slower, the page may be keeping it busy
OVERDUE_S = 2.0  # if a session takes longer to set up, its page may be hung
BETWEEN_DOCUMENTS_S = 1.0  # the browser process replies to this, not the renderer
RELAPSE_S = 0.4  # a page that hung before may stay busy for this long
OUR_SCRIPTS_S = 3.0  # an action's own scripts never keep a page busy this long

# Unblock a page and keep it.
TERMINATE_S = 0.03  # Runtime.terminateExecution reaches a renderer in 1 to 4 ms
AGAIN_DELAY_S = 0.008  # the page's next timer has restarted the stopped script by then
AGAIN_S = 0.012  # how long to wait for a reply after that delay
NATIVE_CODE_S = 0.07  # native code, such as a sort, may finish in this time
PATIENT_S = 0.09  # for native code if no call is waiting; even a slow computer is done by then
SCRIPT_QUEUE_S = 2.0  # enough to stop many more scripts than one queue holds
STOPPED_DOCUMENT_S = 4.0  # by then, a page shows the received part of a stopped document
CLEAR_TIMERS_S = 0.06  # one call to the walker in each frame
REST_S = 0.06  # a page that starts no navigation for this long has stopped navigating
IN_PLACE_S = PROBE_S + TERMINATE_S + 0.015  # the longest that stopping a script takes
RESCUE_S = IN_PLACE_S + 0.04  # each call reserves this for a rescue; enough on a busy computer too

# Move to another renderer or another target.
CALL_S = 0.15  # an idle browser process or renderer replies to a command in this time
BLANK_S = 0.25  # about:blank commits in 50 to 160 ms
SLOWEST_BLANK_S = 2.0  # the limit for about:blank if the browser process is slow
BACK_S = 0.25  # most pages have loaded again by then; the others load later
RELOADED_PROBE_S = 0.04  # a reloaded page responds by then, or hangs again
RELOADED_STOP_S = 0.08  # the script of such a page is stopped by then
PARSED_S = 0.5  # a document that does not hang while it loads is parsed by then
REPLACE_S = 6.0  # opening a new target on a busy computer
REPLACE_BEFORE_KILL_S = 1.5  # if opening takes longer, the page may be keeping the browser busy
ARRIVAL_S = 0.5  # a document that is ready commits within milliseconds

# After a crash.
REVIVE_S = 2.0  # most pages have loaded again by then
REVIVED_PROBE_S = 0.05  # longer than PROBE_S: the page is still loading
CRASHES_S = 30.0  # crashes within this time count together

# Last resorts.
PROCESSES_S = 1.5  # a hung renderer may keep the browser process busy too
SAMPLE_S = 0.1  # over a shorter time, CPU shares do not differ clearly
FRAME_S = 0.35  # an idle page renders a frame long before this
GPU_INFO_S = 0.5  # the browser process replies to this, not the GPU process
GPU_RESTART_S = 1.0  # on an idle computer, a new GPU process renders within 0.1 s
