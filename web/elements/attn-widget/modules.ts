// The modules beside the core that a widget computes with.

import type {ReactiveController, ReactiveControllerHost} from 'lit';
import {runtime, type Need} from '../../shared/runtime.js';

/** A pointer that only passes fetches nothing: the model is half a megabyte. */
const TOUCHES = ['focusin', 'pointerdown'] as const;

export class NeededModules implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #needs: readonly Need[];

  constructor(host: ReactiveControllerHost & HTMLElement, needs: readonly Need[]) {
    this.#host = host;
    this.#needs = needs;
    host.addController(this);
  }

  hostConnected(): void {
    for (const touch of TOUCHES) this.#host.addEventListener(touch, this.#fetchAhead, {once: true});
  }

  /** Null if everything is loaded; otherwise a promise that resolves once it is. */
  missing(): Promise<unknown> | null {
    const {provide} = runtime;
    const missing = this.#needs.filter((need) => !runtime[need]);
    return provide && missing.length > 0 ? Promise.all(missing.map(provide)) : null;
  }

  /** A failure is reported by the change that needs the module. */
  #fetchAhead = (): void => {
    for (const need of this.#needs) void runtime.provide?.(need).catch(() => undefined);
  };
}
