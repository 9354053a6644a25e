// Sentence and table of <attn-mask>.

import {fixed, percent} from '../../shared/format.js';
import type {Table} from '../attn-widget/spec.js';
import {isMasking} from './compute.js';
import {answerOf, chosenRow, orderOf, shownRow, type Beat, type Shown} from './moment.js';
import {EMPTY, type MaskResult, type MaskState, type Row} from './state.js';

export function sumText({defined, sum}: Row): string {
  return defined ? fixed(sum, 3) : '无定义';
}

const BEAT_NAMES: Record<Beat, string> = {
  score: '分数',
  hide: '遮',
  power: '取指数',
  weight: '分满100 %',
};

/** Index of the beat that a row is in, or has just ended; −1 before the first. */
const beatAt = (place: number) => Math.ceil(place) - 1;

export function beatWords(order: readonly Beat[], place: number): string {
  const beat = beatAt(place);
  const name = order[beat];
  return name ? `第${'一二三四'[beat]}拍：${BEAT_NAMES[name]}` : '还没走到';
}

function symptom({mistake}: MaskState, {blocks, emptyRows}: MaskResult): string {
  const rows = blocks.flat();
  const leaking = rows.flatMap(({cells}) => cells.filter(({leak}) => leak)).length;
  // A row that sees nothing may be shared out by convention: what the rule lets it see is no leak.
  const seenThough = rows.flatMap(({cells}) =>
    cells.filter(({hidden, weight}) => hidden && weight > 0),
  ).length;
  const worst = percent(
    Math.max(
      ...rows.map(({cells}) => cells.reduce((sum, {leak, weight}) => sum + (leak ? weight : 0), 0)),
    ),
  );
  switch (mistake) {
    case 'open':
      return `什么也不遮：${leaking}格看到了不该看的，最糟的一行漏掉${worst}，行和却都是1。`;
    case 'zero':
      return `换成0不等于遮住：e⁰＝1，最糟的一行漏掉${worst}，行和却仍是1。`;
    case 'after':
      return `行和不再是1，最少的一行只剩${fixed(Math.min(...rows.map(({sum}) => sum)), 3)}；遮住的词元还留在分母里。`;
    case 'bfloat16':
      return emptyRows > 0
        ? '什么也看不见的行，−10⁹把分数全淹没，成了平分，遮住的也混进来；别的行没有错。'
        : '每行都有可见的位置，遮住的权重恰好是0，看不出错。换到左补位再看。';
    case 'float16':
      return '−10⁹在float16里就是−∞，可见的位置上−∞×0无定义：没有一行还是数。';
    case 'inverted':
      return `该遮的反而看见，共${seenThough}格。`;
    case 'query':
      return '补位的查询也遮掉，多出了空行。';
    case 'cross':
      return `忘了分句：${leaking}格看到了别的句子。`;
    case 'wide':
      return `条件写成i−j≤w，每行最多看见w＋1个：${leaking}格多看了。`;
    default:
      return '';
  }
}

function outputText({output}: Row): string {
  return output ? `(${output.map((x) => fixed(x, 2)).join(', ')})` : '–';
}

export function says(state: MaskState, result: MaskResult): string {
  if (state.at < 1) return saysMoment(state, shownRow(state, result));
  const {cells, real, pairs, allPairs, emptyRows} = result;
  const row = chosenRow(state, result);
  const convention = EMPTY.find(({id}) => id === state.empty)?.does;
  const useful =
    real === cells
      ? `${cells}个位置都是真词元`
      : `有用的格子${real}÷${cells}＝${percent(real / cells)}`;
  return (
    symptom(state, result) +
    (row
      ? `「${row.label}」一行看得见${row.visible}个位置，` +
        `行和${sumText(row)}${row.output ? `，输出是${outputText(row)}` : ''}。`
      : `${useful}，可见的对${pairs}÷${allPairs}＝${percent(pairs / allPairs)}。`) +
    (emptyRows > 0 && !isMasking(state.mistake)
      ? `有${emptyRows}行什么也看不见，这里约定：${convention}。`
      : '')
  );
}

/** While rows are walked. */
function saysMoment({mistake}: MaskState, {row, index, rows, place}: Shown): string {
  const {label, cells, freed, visible, defined} = row;
  const order = orderOf(mistake);
  const late = mistake === 'after';
  const masked = cells.filter((cell) => cell.masked).length;
  const shares = masked > 0 && visible > 0 && !cells.some(({leak}) => leak);
  const given = percent(freed);
  const sum = `行和是${sumText(row)}。`;
  const answer = answerOf(row, index, rows);
  const covered = cells[answer]?.masked && cells[answer].weight === 0;
  const how = {zero: '换成0', bfloat16: '加上−10⁹'}[mistake as string] ?? '换成−∞';
  const told: Record<Beat, string> = {
    score: `给${cells.length}个位置都打了分。`,
    hide: late
      ? `再乘0已经晚了：${given}不见了，${sum}`
      : `${masked}个分数${how}。${covered ? `要猜的「${rows[answer]?.label}」扣过去了。` : ''}`,
    power:
      mistake === 'zero'
        ? 'e⁰＝1：换成0的也有一份。'
        : shares && !late
          ? `遮住的是0，让出了${given}。`
          : '',
    weight: late
      ? `其中${given}给了不该看的。`
      : `${shares ? `让出的${given}按原来的比例分给看得见的，` : ''}${sum}`,
  };
  const beat = order[beatAt(place)];
  const tells = beat && (defined || beat === 'score');
  return (
    `「${label}」一行${beatWords(order, place)}。` +
    (tells ? told[beat] : beat ? '没有定义：0×(−∞)。' : '按▶，或者拖滑杆。')
  );
}

export function table(_state: MaskState, {blocks}: MaskResult): Table {
  return {
    columns: ['行', ...(blocks[0] ?? []).map((_, j) => `看第${j + 1}个`), '可见', '行和', '输出'],
    rows: blocks.flatMap((rows, b) =>
      rows.map((row, i) => [
        `${b + 1}-${i + 1} ${row.label}`,
        ...row.cells.map(({weight, leak}) =>
          row.defined ? `${leak ? '✗ ' : ''}${percent(weight)}` : '无定义',
        ),
        String(row.visible),
        sumText(row),
        outputText(row),
      ]),
    ),
  };
}
