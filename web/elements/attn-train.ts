// <attn-train>: trains the small GPT in the page, beside the recorded run with the same settings.

import {html, nothing, type PropertyValues, type TemplateResult} from 'lit';
import {live as liveValue} from 'lit/directives/live.js';
import {fixed, general, integer} from '../shared/format.js';
import {numberBox} from '../shared/number-box.js';
import {runtime} from '../shared/runtime.js';
import type {Field} from '../shared/schema.js';
import {busy, type Kept} from '../training/desk.js';
import {type Preset, sameRun, type Settings} from '../training/protocol.js';
import {agreement, type CaseContent, type CaseRecord} from '../training/records.js';
import {expectCorpus, desk, watchPage} from './attn-train/run.js';
import {
  compute,
  IDENTITY,
  KINDS,
  LAYERS,
  lookOf,
  nameOf,
  RANGES,
  schema,
  settingsOf,
  shelf,
  SIZES,
  type TrainResult,
  type TrainState,
} from './attn-train/state.js';
import {view} from './attn-train/view.js';
import {says, steps, table, threadsText} from './attn-train/words.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec} from './attn-widget/spec.js';

/** The least time between two attn-change events that only report progress. */
const CHANGE_MS = 1000;

/**
 * Live training of a small GPT.
 *
 * @name 现场训练
 * @summary 在你的浏览器里训练一个小GPT，与记录逐位对照。
 * @attr preset attention seed steps rate text layer head prompt temperature autostart
 * @fires attn-change  detail: {state, result}; at most once a second while it learns
 */
export class AttnTrain extends AttnWidget<TrainState, TrainResult, CaseContent> {
  static override readonly spec: Spec<TrainState, TrainResult, CaseContent> = {
    tag: 'attn-train',
    title: (state) => `现场训练：${nameOf(state)}`,
    hint: '点开始，模型就在这一页里从头学写诗；细线是事先录下的同一次，看它们是不是每一位都相同。',
    schema,
    content: ({preset}) => `case/${preset}`,
    compute,
    view,
    says,
    table,
    steps,
  };

  #began = false;
  #announcedAt = 0;
  #announced = '';
  readonly #requested = new Set<string>();

  override connectedCallback(): void {
    super.connectedCallback();
    watchPage();
    desk.addEventListener('change', this.#onChange);
    desk.addEventListener('phase', this.#onPhase);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    desk.removeEventListener('change', this.#onChange);
    desk.removeEventListener('phase', this.#onPhase);
  }

  protected override firstUpdated(): void {
    super.firstUpdated();
    this.refresh();
  }

  /** The first drawing is the build's; afterwards the page's run is part of the result. */
  protected override completed(result: TrainResult, state: TrainState): TrainResult {
    if (!this.hasUpdated) return result;
    const {live} = desk;
    const mine = live && sameRun(live.settings, state) ? live : null;
    return {
      ...result,
      live: mine,
      agreement: mine && result.record ? agreement(result.record, mine.settings, mine.curve) : null,
      elsewhere: busy(live) && !mine ? live.settings : null,
      kept: desk.kept,
    };
  }

  protected override change(patch: Partial<TrainState>): void {
    super.change(patch);
    const {state, result} = this;
    if (result?.live) {
      if (patch.rate !== undefined) desk.setRate(state.rate);
      desk.look(lookOf(state));
    }
  }

  protected override controls(state: TrainState, result: TrainResult): TemplateResult {
    const {live} = result;
    const going = busy(live);
    const chosen = <T extends string>(id: T, now: T, name: string) =>
      html`<option value=${id} ?selected=${id === now}>${name}</option>`;
    const picked = (event: Event) => (event.target as HTMLSelectElement).value;
    const box = (key: 'seed' | 'steps' | 'rate', label: string, disabled: boolean) =>
      numberBox(this, {
        key,
        label,
        value: state[key],
        ...RANGES[key],
        ...(key === 'rate' && {by: 0.001}),
        disabled,
        set: (value) => this.change({[key]: value}),
      });
    return html`<div class="dials">
        <label class="number"
          ><span>模型</span
          ><select
            ?disabled=${going}
            @change=${(event: Event) => this.change({preset: picked(event) as Preset})}
          >
            ${SIZES.map(({id, name}) => chosen(id, state.preset, name))}
          </select></label
        >
        <label class="number"
          ><span>注意力</span
          ><select
            ?disabled=${going}
            @change=${(event: Event) =>
              this.change({attention: picked(event) as Settings['attention']})}
          >
            ${KINDS.map(({id, name, mark}) => chosen(id, state.attention, `${mark} ${name}`))}
          </select></label
        >
        <span class="group seed">${box('seed', '种子', going)}</span
        >${box('steps', '步数', going)}${box('rate', '学习率', false)}
      </div>
      <div class="row" role="group" aria-label="训练">
        ${this.#button(
          '开始',
          !going && !result.elsewhere && this.content !== undefined,
          this.#start,
        )}
        ${
          live?.phase === 'paused' && !live.waiting
            ? this.#button('继续', true, () => desk.resume())
            : this.#button('暂停', live?.phase === 'running', () => desk.pause())
        }
        ${this.#button('停下', going, () => desk.stop())} ${this.#takeUp(state, result)}
      </div>
      ${this.#notes(result)} ${live?.sight ? this.#sightControls(state) : nothing}
      <p class="spoken" role="status">${this.#announced || nothing}</p>`;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    // A select that the reader used no longer follows its options, so its value is set from the
    // state.
    for (const select of this.renderRoot.querySelectorAll('select'))
      select.value = select.querySelector<HTMLOptionElement>('option[selected]')?.value ?? '';
    const {state, result} = this;
    if (this.content === undefined || !result) return;
    if (result.wanted) this.#fetch(result.wanted);
    if (state.autostart && !this.#began) this.#start();
    this.#began = true;
  }

  /** The button keeps its place and the focus, enabled or not. */
  #button(name: string, usable: boolean, act: () => void): TemplateResult {
    return html`<button
      type="button"
      class="chip"
      aria-disabled=${usable ? 'false' : 'true'}
      @click=${() => {
        if (usable) act();
      }}
    >
      ${name}
    </button>`;
  }

  #takeUp(state: TrainState, {kept, elsewhere, live}: TrainResult): unknown {
    if (elsewhere) {
      return html`<span class="reading">这一页正在练：${nameOf(elsewhere)}。</span>
        <button type="button" class="chip" @click=${() => this.change(settingsOf(elsewhere))}>
          看它
        </button>`;
    }
    if (!kept?.saved || (live?.phase === 'done' && sameRun(kept.settings, live.settings)))
      return nothing;
    const which = sameRun(kept.settings, state) ? '' : `${nameOf(kept.settings)}，`;
    return html`<button type="button" class="chip" @click=${() => this.#resume(kept)}>
      接着上次练（${which}第${integer(kept.saved)}步）
    </button>`;
  }

  #notes({live, kept}: TrainResult): TemplateResult | typeof nothing {
    const notes: string[] = [];
    if (live && busy(live)) {
      const {secondsPerStep, curve, settings, where, saved, hidden, resumedAt, phase} = live;
      const loss = curve.losses.at(-1);
      notes.push(
        `第${integer(curve.losses.length)}步，共${integer(settings.steps)}步` +
          `${loss === undefined ? '' : `，损失${fixed(loss, 3)}`}。`,
      );
      if (where === 'page')
        notes.push(
          '这里不让开后台线程，只好在页面里一步一步地练，点击会慢半拍；切到别的标签页时它就停下等你。',
        );
      if (secondsPerStep !== null && phase === 'running') {
        const left = (settings.steps - curve.losses.length) * secondsPerStep;
        notes.push(
          `${threadsText(live)}每步约${general(secondsPerStep, 2)}秒，` +
            `还要${left < 90 ? `${integer(left)}秒` : `${integer(left / 60)}分钟`}。`,
        );
      }
      if (resumedAt > 0) notes.push(`从第${integer(resumedAt)}步接着练的。`);
      if (hidden && hidden.to > hidden.from)
        notes.push(
          `你离开时走到第${integer(hidden.from)}步，它在后台接着练，回来时第${integer(hidden.to)}步。`,
        );
      if (saved !== null) notes.push(`已存到第${integer(saved)}步，刷新之后可以接着练。`);
    } else if (kept && !live) {
      notes.push(
        kept.saved === null
          ? `上次练${nameOf(kept.settings)}到第${integer(kept.steps)}步；这个浏览器没有存下，只能从头练。`
          : `上次练${nameOf(kept.settings)}到第${integer(kept.steps)}步，存下的是第${integer(kept.saved)}步。`,
      );
    }
    return notes.length > 0 ? html`<p class="reading">${notes.join('')}</p>` : nothing;
  }

  #sightControls(state: TrainState): TemplateResult {
    const heads = SIZES.find(({id}) => id === state.preset)?.heads ?? 1;
    const words = (key: 'text' | 'prompt', label: string) => {
      const take = (event: Event) => this.change({[key]: (event.target as HTMLInputElement).value});
      return html`<label class="number list"
        ><span>${label}</span
        ><input
          type="text"
          autocomplete="off"
          spellcheck="false"
          .value=${liveValue(state[key])}
          @input=${(event: InputEvent) => {
            if (!event.isComposing) take(event);
          }}
          @compositionend=${take}
      /></label>`;
    };
    const pick = (key: 'layer' | 'head', label: string, count: number) =>
      numberBox(this, {
        key,
        label,
        value: Math.min(state[key], count - 1),
        min: 0,
        max: count - 1,
        integer: true,
        set: (value) => this.change({[key]: value}),
      });
    return html`<div class="dials">
      ${words('text', '读哪一句')}${pick('layer', '层，从0数', LAYERS)}${
        heads > 1 ? pick('head', '头，从0数', heads) : nothing
      }
      ${words('prompt', '从哪里写起')}${numberBox(this, {
        key: 'temperature',
        label: '温度',
        value: state.temperature,
        ...RANGES.temperature,
        by: 0.1,
        set: (temperature) => this.change({temperature}),
      })}
    </div>`;
  }

  #start = (): void => {
    const {state} = this;
    // Another model was chosen and its record is still loading.
    if (this.content === undefined) return;
    expectCorpus(this.content.records[0]?.corpus);
    this.#toUrl(state);
    void desk.start(settingsOf(state), lookOf(state));
  };

  #resume({settings}: Kept): void {
    this.change(settings);
    this.#toUrl(settings);
    void desk.start(settings, lookOf(this.state), true);
  }

  /** Writes the settings into the address, so that a reload or a shared link gives the same run. */
  #toUrl(settings: Settings): void {
    const fields = IDENTITY.map((key): [string, string] => [
      key,
      (schema[key] as Field<unknown>).write(settings[key]),
    ]);
    const url = new URL(location.href);
    // A page of one widget reads its state from the query.
    if (runtime.place === 'frame')
      for (const [key, text] of fields) url.searchParams.set(key, text);
    else
      url.hash =
        `${encodeURI(this.id || this.localName)}?` +
        `${fields.map((field) => field.join('=')).join('&')}`;
    try {
      history.replaceState(null, '', url);
    } catch {
      // A frame without an address of its own refuses this.
    }
  }

  #onChange = (): void => {
    // A hidden tab draws nothing; its return to the front draws again.
    if (document.hidden && busy(desk.live)) return;
    this.refresh();
    const now = Date.now();
    if (now - this.#announcedAt >= CHANGE_MS) this.#announce();
  };

  /** Screen readers announce changes of phase, not every step. */
  #onPhase = (): void => {
    const {state, result} = this;
    if (!result?.live) return;
    this.#announced = says(state, result);
    this.requestUpdate();
    this.#announce();
  };

  #announce(): void {
    const {state, result} = this;
    if (!result?.live) return;
    this.#announcedAt = Date.now();
    this.dispatchEvent(
      new CustomEvent('attn-change', {bubbles: true, composed: true, detail: {state, result}}),
    );
  }

  /** Fetches a record that is not part of the page. */
  #fetch(name: string): void {
    if (this.#requested.has(name)) return;
    this.#requested.add(name);
    void fetch(`${runtime.contentBase}${name}.json`)
      .then((response) =>
        response.ok ? response.json() : Promise.reject(new Error(`${name}: ${response.status}`)),
      )
      .then((record: CaseRecord) => {
        shelf.set(record.experiment, record);
        this.refresh();
      })
      .catch((error: unknown) => console.warn('attn-lessons: no record', error));
  }
}
