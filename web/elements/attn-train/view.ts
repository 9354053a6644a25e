// Pictures of <attn-train>: curves beside the records, the attention map, poems.

import {html, nothing, type TemplateResult} from 'lit';
import {fixed, general, integer, plain} from '../../shared/format.js';
import type {Token} from '../../shared/plot.js';
import type {Live} from '../../training/desk.js';
import {
  attentionMap,
  chart,
  legend,
  measured,
  type Name,
  type Series,
  shownCharacter,
} from '../../training/figure.js';
import type {Settings} from '../../training/protocol.js';
import {type CaseRecord, recordedLosses} from '../../training/records.js';
import {kindOf, type TrainResult, type TrainState} from './state.js';

const look = (id: Settings['attention']): {token: Token; dashed: boolean} =>
  id === 'scaled' ? {token: 'right', dashed: false} : {token: 'wrong', dashed: true};

function recordName({attention, seed}: CaseRecord): string {
  const {mark, name} = kindOf(attention);
  return `${mark} ${name}，记录（种子${plain(seed)}）`;
}

function namesOf(state: TrainState, {record, other, live}: TrainResult): Name[] {
  const {mark, name} = kindOf(state.attention);
  return [
    ...[record, other].flatMap((each) =>
      each ? [{text: recordName(each), ...look(each.attention), live: false}] : [],
    ),
    ...(live ? [{text: `${mark} ${name}，现场`, ...look(state.attention), live: true}] : []),
  ];
}

function seriesOf(
  state: TrainState,
  {record, other, live}: TrainResult,
  ofRecord: (record: CaseRecord) => Series['points'],
  ofLive: (live: Live) => Series['points'],
): Series[] {
  return [
    ...[other, record].flatMap((each) =>
      each ? [{points: ofRecord(each), ...look(each.attention), live: false}] : [],
    ),
    ...(live ? [{points: ofLive(live), ...look(state.attention), live: true}] : []),
  ];
}

const DIAGNOSTICS = [
  {
    key: 'entropy',
    title: '熵H：1是平分，0是独占',
    scale: 'linear',
    least: [0, 1],
    show: (value: number) => general(value, 3),
  },
  {
    key: 'logitDeviation',
    title: 'logit的标准差（对数轴）',
    scale: 'log',
    least: [0.1, 10],
    show: (value: number) => general(value, 3),
  },
  {
    key: 'jacobianNorm',
    title: '雅可比范数‖J‖（对数轴）',
    scale: 'log',
    least: [0.1, 1],
    show: (value: number) => general(value, 2),
  },
] as const;

export function view(state: TrainState, result: TrainResult): TemplateResult {
  const {record, other, live} = result;
  const steps = Math.max(state.steps, record?.stepsDone ?? 0, other?.stepsDone ?? 0);
  const names = namesOf(state, result);
  const vocabulary = record?.vocabulary ?? other?.vocabulary;
  const mark =
    result.blind !== null && vocabulary
      ? {value: result.blind, label: `瞎猜：ln ${plain(vocabulary)}`}
      : undefined;
  return html`${names.length > 0 ? legend(names) : nothing}
    <div class="charts">
      ${chart({
        title: '损失（每步一批，nat）',
        scale: 'linear',
        steps,
        least: [5, 7.2],
        show: (value) => fixed(value, 2),
        series: seriesOf(state, result, recordedLosses, ({curve}) =>
          curve.losses.map((loss, step) => [step, loss]),
        ),
        ...(mark && {mark}),
      })}
      ${DIAGNOSTICS.map(({key, ...panel}) =>
        chart({
          ...panel,
          steps,
          series: seriesOf(
            state,
            result,
            ({diagnostics}) => measured(diagnostics, key),
            ({curve}) => measured(curve.diagnostics, key),
          ),
        }),
      )}
    </div>
    ${live ? learning(live) : poemOf(record)}`;
}

function poemOf(record: CaseRecord | null): unknown {
  if (!record?.poem) return nothing;
  const {prompt, text} = record.poem;
  return html`<p class="reading">记录的那次练完之后，从「${prompt}」写起：${poem(prompt + text)}</p>
    ${aboutUnknown(text)}`;
}

const poem = (text: string): string =>
  text
    .trim()
    .replace(/<unk>|<pad>/g, shownCharacter('<unk>'))
    .replaceAll('\n', ' ／ ');

/** Explains the boxes in a poem or a line. */
const aboutUnknown = (text: string): unknown =>
  text.includes('<unk>')
    ? html`<p class="reading">
        ${shownCharacter('<unk>')}是词表外的字：词表只收语料里最常见的字，语料是繁体。它们合起来比哪一个字都常见，温度越低，写出来的就越多。
      </p>`
    : nothing;

/** The current output of the model: poems and attention. */
function learning({sight, poems}: Live): unknown {
  if (!sight) return nothing;
  const {map} = sight;
  return html`<div class="charts">
      <div>
        ${map ? attentionMap(map) : html`<p class="reading">写一句诗，就能看到它怎样读。</p>`}
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
