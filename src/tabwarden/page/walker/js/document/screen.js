// Pointer lock and full screen.

export const screenNow = () =>
  document.pointerLockElement ? "pointer lock" : document.fullscreenElement ? "full screen" : "";

// Ends both. Returns whether there was something to end.
export function leaveScreen() {
  const screen = screenNow();
  if (document.pointerLockElement) document.exitPointerLock();
  if (document.fullscreenElement) document.exitFullscreen();
  return screen !== "";
}
