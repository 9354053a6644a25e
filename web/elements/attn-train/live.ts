// The part of <attn-train> that only a run needs: its sentences, its pictures of the model, and the
// controls of what is read and written.

import {html, nothing, type TemplateResult} from 'lit';
import {live as liveValue} from 'lit/directives/live.js';
import {fixed, general, integer, plain} from '../../shared/format.js';
import {type BoxHost, numberBox} from '../../shared/number-box.js';
import {runtime} from '../../shared/runtime.js';
import type {Field} from '../../shared/schema.js';
import type {Live} from '../../training/desk.js';
import {attentionMap} from '../../training/maps.js';
import type {Failure, Settings} from '../../training/protocol.js';
import {aboutUnknown, poem} from './poem.js';
import {LAST, RANGES, schema, sizesOf, type TrainResult, type TrainState} from './state.js';

export {agreement} from '../../training/agreement.js';

const FAILURES: Record<Failure, string> = {
  'no-module': '训练模块载入失败，请检查网络，再点「开始」。',
  'no-corpus':
    '这个站点上没有语料data/tang.txt（构建时下载失败），所以不能现场练；记录的曲线不受影响。',
  'wrong-corpus': '取到的语料不是记录用的那一份，练出来不会相同，所以没有开始。',
  crashed: '训练出了错，停下了；图上留着已经走过的步。可以再点开始。',
};

function agreementText({agreement: found, record, recorded}: TrainResult): string {
  if (!record) return recorded ? '记录还没有取来，先不比。' : '这组设定没有记录可比。';
  if (!found) return '';
  const {compared, firstDifference, until, why} = found;
  const limits = {
    whole: '',
    steps: `记录走了${integer(record.steps)}步，学习率的安排不同，只有前${integer(until)}步可比。`,
    rate: until === 0 ? '学习率与记录不同，不比。' : `改过学习率，只有前${integer(until)}步可比。`,
  };
  if (firstDifference !== null)
    return `✗ 从第${integer(firstDifference)}步起与记录不同。${limits[why]}`;
  return `${compared > 0 ? `✓ 与记录逐位相同：比了${integer(compared)}个数。` : ''}${limits[why]}`;
}

function endText({end}: Live, {record, agreement: found}: TrainResult): string {
  if (!end) return '';
  const same =
    record && found?.why === 'whole' && record.parameterHash === end.hash
      ? '，全部参数的指纹也与记录相同'
      : '';
  return end.validationLoss === null
    ? ''
    : `留出的诗上损失${fixed(end.validationLoss, 3)}${same}。`;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

export function saysLive(live: Live, result: TrainResult): string {
  const {phase, curve, settings, failure, shape} = live;
  const steps = curve.losses.length;
  if (phase === 'failed') return FAILURES[failure ?? 'crashed'];
  if (phase === 'loading') return '正在取模块和语料……';
  const loss = curve.losses.at(-1);
  const at =
    loss === undefined ? '还没走一步' : `走了${integer(steps)}步，这一批的损失${fixed(loss, 3)}`;
  if (phase === 'diverged')
    return `走了${integer(steps)}步，下一步发散：损失或梯度不再是有限的数，训练停在这里。学习率${plain(settings.rate)}太大时就会这样。`;
  if (phase === 'done')
    return (
      `练完了，${integer(steps)}步；末${Math.min(LAST, steps)}步平均损失` +
      `${fixed(mean(curve.losses.slice(-LAST)), 3)}。${endText(live, result)}` +
      `${agreementText(result)}`
    );
  const doing = {
    running: '正在练',
    paused: live.waiting ? '标签页在后台，先等着' : '暂停了',
    stopped: '停下了',
  }[phase];
  const warning =
    loss !== undefined && result.blind !== null && loss > 2 * result.blind
      ? '比瞎猜还差得多：学习率太大。'
      : '';
  const still = settings.rate === 0 ? '学习率是0，参数不动，损失只随抽到的诗变。' : '';
  return (
    `${doing}：${shape ? `${integer(shape.parameters)}个参数，` : ''}${at}。${warning}${still}` +
    `${agreementText(result)}`
  );
}

/** How many threads work, where there is more than one. */
function threadsText({threads, quicker}: Live): string {
  if (threads === 1) return '';
  return quicker > 1 ? `${threads}个线程一起算，` : `眼下${threads}个线程不比1个快，只用1个，`;
}

/** The current output of the model: poems and attention. */
export function learning({sight, poems}: Live): unknown {
  if (!sight) return nothing;
  const {map} = sight;
  return html`<div class="charts">
      <div>
        ${
          map
            ? attentionMap(map, map.characters, `现场的第${integer(sight.steps)}步：`)
            : html`<p class="reading">写一句诗，就能看到它怎样读。</p>`
        }
      </div>
      <div>
        <h3>它写的诗</h3>
        <ul class="sums">
          ${poems
            .filter(({steps}) => steps < sight.steps)
            .map(({steps, poem: text}) => html`<li><b>${integer(steps)}步</b>${poem(text)}</li>`)}
          <li>
            <b>${integer(sight.steps)}步</b
            >${sight.poem === null ? '写不出来：它的分数已经不是有限的数。' : poem(sight.poem)}
          </li>
        </ul>
      </div>
    </div>
    ${aboutUnknown([...(map?.characters ?? []), sight.poem].join(''))}`;
}

/** The course of a busy run, in sentences under its buttons. */
export function notes(live: Live): TemplateResult {
  const notes: string[] = [];
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
  return html`<p class="reading">${notes.join('')}</p>`;
}

export function sightControls(
  host: BoxHost,
  state: TrainState,
  change: (patch: Partial<TrainState>) => void,
): TemplateResult {
  const {layers, heads} = sizesOf(state);
  const words = (key: 'text' | 'prompt', label: string) => {
    const take = (event: Event) => change({[key]: (event.target as HTMLInputElement).value});
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
    numberBox(host, {
      key,
      label,
      value: Math.min(state[key], count - 1),
      min: 0,
      max: count - 1,
      integer: true,
      set: (value) => change({[key]: value}),
    });
  return html`<div class="dials">
    ${words('text', '读哪一句')}${pick('layer', '层，从0数', layers)}${
      heads > 1 ? pick('head', '头，从0数', heads) : nothing
    }
    ${words('prompt', '从哪里写起')}${numberBox(host, {
      key: 'temperature',
      label: '温度',
      value: state.temperature,
      ...RANGES.temperature,
      by: 0.1,
      set: (temperature) => change({temperature}),
    })}
  </div>`;
}

const IDENTITY = ['preset', 'attention', 'seed', 'steps', 'rate'] as const;

/** The fields that a link needs to repeat the same run. */
const identityOf = ({preset}: Settings) =>
  preset === 'own' ? ([...IDENTITY, 'layers', 'heads', 'width', 'window'] as const) : IDENTITY;

/** Writes the settings into the address, so that a reload or a shared link gives the same run. */
export function toAddress(element: HTMLElement, settings: Settings): void {
  const fields = identityOf(settings).map((key): [string, string] => [
    key,
    (schema[key] as Field<unknown>).write(settings[key]),
  ]);
  const url = new URL(location.href);
  // A page of one widget reads its state from the query.
  if (runtime.place === 'frame') for (const [key, text] of fields) url.searchParams.set(key, text);
  else
    url.hash =
      `${encodeURI(element.id || element.localName)}?` +
      `${fields.map((field) => field.join('=')).join('&')}`;
  try {
    history.replaceState(null, '', url);
  } catch {
    // A frame without an address of its own refuses this.
  }
}
