// Pointer lock and full screen. A headless shell does not end them when Escape is pressed.

export const screenNow = () =>
  document.pointerLockElement ? "pointer lock" : document.fullscreenElement ? "full screen" : "";

export function leaveScreen() {
  if (document.pointerLockElement) document.exitPointerLock();
  if (document.fullscreenElement) document.exitFullscreen();
}
