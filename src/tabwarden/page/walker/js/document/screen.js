// Pointer lock and full screen. A headless shell does not end them when Escape is pressed.

export function leaveScreen() {
  if (document.pointerLockElement) document.exitPointerLock();
  if (document.fullscreenElement) document.exitFullscreen();
}
