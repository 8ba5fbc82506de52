// The live image of a task, and its frame rate and delay.

import { h } from "./dom.js";

// A canvas that shows one task's images.
export class Picture {
  constructor(task, label) {
    this.task = task;
    const seen = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
    this.canvas = h("canvas", { class: "picture", width: 16, height: 10, ...seen });
    this.times = [];
    this.lags = [];
    this.number = 0;
    this.listener = (picture) => this.draw(picture);
    task.onpicture.add(this.listener);
    if (task.picture) this.draw(task.picture, false);
  }

  end() {
    this.task.onpicture.delete(this.listener);
  }

  // Width and height of the page in CSS pixels.
  get page() {
    return this.about ?? { width: 16, height: 10 };
  }

  draw({ about, bitmap }, isNew = true) {
    const { canvas } = this;
    if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) {
      canvas.width = bitmap.width;
      canvas.height = bitmap.height;
    }
    const resized = this.about?.width !== about.width || this.about?.height !== about.height;
    this.about = about;
    canvas.getContext("2d", { alpha: false }).drawImage(bitmap, 0, 0);
    if (resized) this.onresize?.();
    if (isNew) this.measure(about);
  }

  // Numbers for tests and people: images per second, and milliseconds from page to screen.
  measure(about) {
    requestAnimationFrame(() => {
      const now = performance.now();
      this.times = [...this.times.filter((at) => at > now - 2000), now];
      if (about.taken_at) this.lags = [...this.lags.slice(-29), Date.now() - about.taken_at * 1000];
      this.number += 1;
      Object.assign(this.canvas.dataset, { number: this.number, rate: (this.times.length / 2).toFixed(1), lag: Math.round(this.lag) });
    });
  }

  get rate() {
    const now = performance.now();
    return this.times.filter((at) => at > now - 2000).length / 2;
  }

  get lag() {
    const sorted = [...this.lags].sort((a, b) => a - b);
    return sorted[sorted.length >> 1] ?? 0;
  }
}

// Decodes and shows a received image, and tells the server that there is room for the next image.
export async function arrived(store, connection, about, bytes) {
  const task = store.tasks.get(about.task);
  try {
    if (task) task.show(about, await createImageBitmap(new Blob([bytes], { type: "image/jpeg" })));
  } catch {
    // an image that the browser can't decode
  }
  connection.send({ type: "seen", task: about.task });
}
