import {afterEach, beforeAll, describe, expect, it, vi} from 'vitest';
import {AttnCheck, type CheckState} from '../../web/elements/attn-check.js';
import {keepAnswer, keptAnswer} from '../../web/shared/answers.js';
import type {QuestionContent} from '../../web/shared/content.js';
import {composeFigure} from '../../web/site/figures.js';
import {readFields} from '../../web/shared/link.js';
import type {Resources} from '../../web/shared/runtime.js';
import {shownWidget} from './drawn-widget.js';
import {resourcesFromBuild} from './load-core.js';

const {spec} = AttnCheck;
let resources: Resources;
beforeAll(async () => {
  resources = await resourcesFromBuild();
});

const choice: QuestionContent = {
  id: 'test/choice',
  kind: 'choice',
  prompt: ['负的一份会怎样，比如', {num: 'share', text: '−44.4 %'}, '？'],
  options: [['算作零'], [{strong: ['还是负的']}], ['变成正的']],
  answer: 1,
  tolerance: 0,
  answerText: '1',
  explain: ['总和不变，', {num: 'share', text: '−44.4 %'}, '照样算进去。'],
};
const number: QuestionContent = {
  id: 'test/number',
  kind: 'number',
  prompt: ['拿到百分之几？'],
  options: [],
  answer: 66.5241,
  tolerance: 5,
  answerText: '66.5 %',
  explain: ['按指数分。'],
  unit: '%',
};

function show(question: QuestionContent, patch: Partial<CheckState>) {
  const {table, ...shown} = shownWidget(resources, spec, patch, question);
  return {...shown, table: JSON.stringify(table)};
}

describe('attn-check', () => {
  it('shows no verdict before the reader submits, for any guess', async () => {
    for (const guess of [null, 0, 1, 2]) {
      const {says, table, draw} = show(choice, {guess});
      const all = says + table + (await draw());
      expect(all).not.toContain('照样算进去');
      expect(all).not.toContain('算出来是');
      expect(all).not.toMatch(/[✓✗] (算作零|还是负的|变成正的|答案)/);
    }
    for (const guess of [null, 40, 66.5241]) {
      const {says, table, draw} = show(number, {guess});
      expect((says + table + (await draw())).replaceAll('66.5241', '')).not.toContain('66.5');
    }
  });

  it('shows the verdict as a word and a mark, and the guess beside the answer', async () => {
    const wrong = show(choice, {guess: 0, shown: true});
    expect(wrong.result.verdict).toBe('wrong');
    expect(wrong.says).toBe('你选了「算作零」，算出来是「还是负的」。');
    const drawn = await wrong.draw();
    expect(drawn).toContain('✗ 算作零');
    expect(drawn).toContain('✓ 还是负的');
    expect(show(choice, {guess: 1, shown: true}).says).toBe('你选了「还是负的」，猜对了。');
    expect(show(choice, {shown: true}).says).toContain('没有先猜');
  });

  it('accepts a number within the tolerance, and gives the distance and side of any other', () => {
    // 66.5241 ± 5 holds 61.6 and 71.5, not 61.5 and 71.6; 40 is 26.5241 below, 90 is 23.4759 above.
    expect([61.5, 61.6, 71.5, 71.6].map((guess) => show(number, {guess}).result.verdict)).toEqual([
      'wrong',
      'right',
      'right',
      'wrong',
    ]);
    expect(show(number, {guess: 40, shown: true}).says).toBe(
      '你写了40 %，算出来是66.5 %，低了26.5 %。',
    );
    expect(show(number, {guess: 90, shown: true}).says).toBe(
      '你写了90 %，算出来是66.5 %，高了23.5 %。',
    );
    expect(show(number, {guess: 65, shown: true}).says).toContain('够近了');
  });

  it('draws the largest and smallest numbers that can be typed', async () => {
    for (const guess of [1e308, -1e308, 5e-324, 0]) {
      const {says, draw, table} = show(number, {guess, shown: true});
      expect(says + table + (await draw())).not.toMatch(/NaN|Infinity|undefined/);
    }
  });

  it('refuses a guess that is not an option, and reads guesses from attributes', () => {
    expect(() => show(choice, {guess: 3})).toThrow('expected an option 0 … 2, got 3');
    expect(() => show(choice, {guess: 0.5})).toThrow('expected an option');
    const read = (text: string) =>
      readFields(spec.schema, (key) => (key === 'guess' ? text : null));
    expect(read('−１．５').state.guess).toBe(-1.5);
    expect(read('').state.guess).toBeNull();
    expect(read('三').problem?.message).toContain('不是一个数');
  });

  it('has a title that depends on its place before or after the reading', () => {
    const title = (question: QuestionContent) =>
      (spec.title as (s: CheckState, r: unknown) => string)(
        show(question, {}).state,
        show(question, {}).result,
      );
    expect([title(choice), title({...choice, quiz: true})]).toEqual(['先猜一猜', '问题']);
  });

  it('exports a figure with the question and its options', async () => {
    const figure = composeFigure(await show(choice, {}).draw(), {
      title: '先猜一猜',
      description: '…',
    });
    expect(figure).toContain('负的一份会怎样，比如−44.4 %？');
    expect(figure.match(/○/g)).toHaveLength(3);
  });
});

describe('answers', () => {
  afterEach(() => vi.unstubAllGlobals());

  function storage(text: string | null) {
    const box = {
      text,
      getItem: () => box.text,
      setItem: (_key: string, value: string) => {
        box.text = value;
      },
    };
    vi.stubGlobal('localStorage', box);
    return box;
  }

  it('are stored as one object keyed by question, which is removed when it is empty', () => {
    const box = storage(null);
    keepAnswer('a', {guess: 2, shown: false});
    keepAnswer('b', {guess: null, shown: true});
    expect(JSON.parse(box.text ?? '')).toEqual({
      a: {guess: 2, shown: false},
      b: {guess: null, shown: true},
    });
    keepAnswer('a', {guess: null, shown: false});
    expect(JSON.parse(box.text ?? '')).toEqual({b: {guess: null, shown: true}});
    expect(keptAnswer('b')).toEqual({guess: null, shown: true});
  });

  it('are empty where the storage is refused, full or holds something else', () => {
    for (const text of [
      '{',
      '7',
      'null',
      '[]',
      '{"a": 3}',
      '{"a": {"guess": "x", "shown": 1}}',
      '{"a": null}',
    ]) {
      storage(text);
      expect(keptAnswer('a')).toBeUndefined();
    }
    vi.stubGlobal('localStorage', {
      getItem: () => {
        throw new Error('refused');
      },
      setItem: () => {
        throw new Error('full');
      },
    });
    expect(keptAnswer('a')).toBeUndefined();
    expect(() => keepAnswer('a', {guess: 1, shown: true})).not.toThrow();
  });
});
