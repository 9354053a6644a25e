// <attn-train>: trains the small GPT in the page, beside the recorded run with the same settings.

import {html, nothing, type PropertyValues, type TemplateResult} from 'lit';
import type {Stop} from '../shared/beats.js';
import {fetchFile} from '../shared/files.js';
import {integer} from '../shared/format.js';
import {numberBox} from '../shared/number-box.js';
import {Playhead} from '../shared/playhead.js';
import {runtime} from '../shared/runtime.js';
import {busy, type Kept} from '../training/desk.js';
import {type Preset, sameRun, type Settings, type Sizes} from '../training/protocol.js';
import type {Moments} from '../training/moments.js';
import type {CaseContent, CaseRecord} from '../training/records.js';
import {bringLive, livePart} from './attn-train/live-part.js';
import {expectCorpus, desk, watchPage} from './attn-train/run.js';
import {
  album,
  compute,
  KINDS,
  lookOf,
  MODELS,
  nameOf,
  RANGES,
  schema,
  settingsOf,
  shelf,
  type TrainResult,
  type TrainState,
} from './attn-train/state.js';
import {type Choose, drawnRun, view} from './attn-train/view.js';
import {says, steps, table} from './attn-train/words.js';
import {AttnWidget} from './attn-widget.js';
import type {Spec} from './attn-widget/spec.js';

/** The least time between two attn-change events that only report progress. */
const CHANGE_MS = 1000;
/** The duration of a replay. */
const REPLAY_SECONDS = 10;

/** The recorded moments, of which only the ends have names. */
function stopsOf(record: CaseRecord | null): Stop[] {
  const {steps = [0, record?.stepsDone ?? 0]} = record?.course ?? {};
  const name = (i: number) =>
    i === 0 || i === steps.length - 1 ? `${integer(steps[i] ?? 0)}步` : '';
  return record ? steps.map((step, i) => ({at: step / record.stepsDone, name: name(i)})) : [];
}

/** The run that this browser kept. */
const keptText = ({saved, steps}: Kept, name: string): string =>
  `上次练${name}到第${integer(steps)}步` +
  (saved === null ? '；这个浏览器没有存下，只能从头练。' : `，存下的是第${integer(saved)}步。`);

/**
 * Live training of a small GPT.
 *
 * @name 现场训练
 * @summary 在你的浏览器里训练一个小GPT，与记录逐位对照。
 * @attr preset attention layers heads width window seed steps rate text layer head prompt
 *   temperature autostart at
 * @fires attn-change  detail: {state, result}; at most once a second while it learns
 */
export class AttnTrain extends AttnWidget<TrainState, TrainResult, CaseContent> {
  static override readonly spec: Spec<TrainState, TrainResult, CaseContent> = {
    tag: 'attn-train',
    title: (state) => `现场训练：${nameOf(state)}`,
    hint: '有记录就先播放：曲线一步步长，头一个个学会看谁。再点「开始」，让它在这一页里从头学，看每一位是不是都相同。',
    schema,
    content: ({preset}) => `case/${preset === 'own' ? 'small' : preset}`,
    compute,
    view,
    says,
    table,
    steps,
  };

  #began = false;
  #announcedAt = 0;
  #announced = '';
  /** The script that a run needs did not come. */
  #lost = false;
  readonly #requested = new Set<string>();

  readonly #replay = new Playhead(this, {
    seconds: REPLAY_SECONDS,
    stops: () => stopsOf(this.result?.record ?? null),
    at: () => this.state.at,
    show: (at) => this.preview({at}),
    settle: () => this.change({}),
  });

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
      agreement:
        mine && result.record
          ? (livePart?.agreement(result.record, mine.settings, mine.curve) ?? null)
          : null,
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

  protected override body(state: TrainState, result: TrainResult): TemplateResult {
    const {record, reached} = result;
    return html`${
        record && !drawnRun(result)
          ? html`<div class="live">
              ${this.#replay.bar('回放到第几步', `第${integer(reached)}步`)}
            </div>`
          : nothing
      }
      <div class="view">${view(state, result, this.#choose)}</div>
      <div class="controls live">${this.controls(state, result)}</div>`;
  }

  readonly #choose: Choose = ({layer, head}) => this.change({layer, head});

  protected override controls(state: TrainState, result: TrainResult): TemplateResult {
    const {live} = result;
    const going = busy(live);
    const chosen = <T extends string>(id: T, now: T, name: string) =>
      html`<option value=${id} ?selected=${id === now}>${name}</option>`;
    const picked = (event: Event) => (event.target as HTMLSelectElement).value;
    const box = (key: 'seed' | 'steps' | 'rate' | keyof Sizes, label: string, disabled: boolean) =>
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
            ${MODELS.map(({id, name}) => chosen(id, state.preset, name))}
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
        ${
          state.preset === 'own'
            ? html`${box('layers', '层', going)}${box('heads', '头', going)}${box(
                'width',
                '宽',
                going,
              )}${box('window', '窗口', going)}`
            : nothing
        }
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
      ${this.#notes(result)}
      ${live?.sight ? livePart?.sightControls(this, state, (patch) => this.change(patch)) : nothing}
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
    if (live) return (busy(live) && livePart?.notes(live)) || nothing;
    const note = this.#lost
      ? '训练的脚本载入失败，请检查网络，再点一次。'
      : kept && keptText(kept, nameOf(kept.settings));
    return note ? html`<p class="reading">${note}</p>` : nothing;
  }

  #start = (): void => {
    const {state} = this;
    // Another model was chosen and its record is still loading.
    if (this.content === undefined) return;
    expectCorpus(this.content.records[0]?.corpus);
    this.#run(settingsOf(state));
  };

  #resume({settings}: Kept): void {
    this.change(settings);
    this.#run(settings, true);
  }

  #run(settings: Settings, saved = false): void {
    this.#lost = false;
    bringLive().then(
      () => {
        livePart?.toAddress(this, settings);
        void desk.start(settings, lookOf(this.state), saved);
      },
      () => {
        this.#lost = true;
        this.requestUpdate();
      },
    );
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
    void fetchFile(`${runtime.contentBase}${name}.json`)
      .then((response) =>
        response.ok ? response.json() : Promise.reject(new Error(`${name}: ${response.status}`)),
      )
      .then((content: CaseRecord | Moments) => {
        if ('moments' in content)
          album.set(name.slice('case/'.length, -'-moments'.length), content);
        else shelf.set(content.experiment, content);
        this.refresh();
      })
      .catch((error: unknown) => console.warn('attn-lessons: no record', error));
  }
}
