// Reasons for which a page is refused before it is rendered, each with its line.
import {describe, expect, it} from 'vitest';
import {checkBoxes, checkFrame, checkHead} from '../../web/site/frame.js';

const SECTIONS = [
  'from',
  'design',
  'fails',
  'improve-1',
  'improve-2',
  'misconceptions',
  'evolution',
  'evidence',
  'sentence',
  'gap',
  'questions',
  'provenance',
];
const lesson = (sections: readonly string[], opening = '<attn-mask>\n\n') =>
  opening + sections.map((id) => `## 一节 {#${id}}\n`).join('\n');

describe('the head of a page', () => {
  const page = {title: '题目', lead: '一句话'};
  const check =
    (data: Record<string, unknown>, text = '') =>
    () =>
      checkHead('a.md', text, data, ['c3-l01', 'c3-l02']);

  it('must have a title and a lead on every page', () => {
    expect(check(page)).not.toThrow();
    expect(check({title: '题目'})).toThrow(/^a\.md:1: .*「lead」/);
  });

  const lesson = {...page, id: 'c3-l01', course: 'C3', question: '为什么？', later: []};

  it('must have the fields of the first screen in a lesson', () => {
    expect(check(lesson)).not.toThrow();
    for (const field of ['title', 'course', 'question', 'later']) {
      expect(check({...lesson, [field]: undefined})).toThrow(`「${field}」`);
    }
  });

  it('may only name lessons of the map', () => {
    expect(
      check({...lesson, next: 'c3-l02', later: [{what: '别的', lesson: 'c3-l02'}]}),
    ).not.toThrow();
    expect(check({...lesson, next: 'c3-l03'}, '---\nnext: c3-l03\n')).toThrow(
      /^a\.md:2: .*「c3-l03」/,
    );
    expect(check({...lesson, later: [{what: '别的', lesson: 'c3-l09'}]})).toThrow('「c3-l09」');
    expect(check({...lesson, later: [{what: '前馈层', lesson: 'C11'}]})).not.toThrow();
  });
});

describe('the frame of a lesson', () => {
  it('must have all its sections, in order', () => {
    expect(() => checkFrame('a.md', lesson(SECTIONS))).not.toThrow();
    expect(() => checkFrame('a.md', lesson(SECTIONS.filter((id) => id !== 'gap')))).toThrow(
      /^a\.md:1: .*\{#gap\}/,
    );
    // The sections are on lines 3, 5, 7 …; the third one is put second.
    const [first, second, third, ...rest] = SECTIONS as [string, string, string, ...string[]];
    expect(() => checkFrame('a.md', lesson([first, third, second, ...rest]))).toThrow(
      /^a\.md:5: .*\{#fails\}.*次序/,
    );
  });

  it('must open with a picture', () => {
    const opened = (opening: string) => () => checkFrame('a.md', lesson(SECTIONS, opening));
    expect(opened('一句话\n\n::: heat key\n')).not.toThrow();
    expect(opened('::: bars weight limit\n')).not.toThrow();
    for (const bare of ['一句话\n', '::: aside\n', '<attn-check>\n', '讲<attn-mask>\n'])
      expect(opened(bare)).toThrow(/^a\.md:2: .*图/);
  });
});

describe('boxes', () => {
  const check = (text: string) => () => checkBoxes('a.md', text, ['aside', 'qa']);

  it('must be known and closed', () => {
    expect(check('一\n\n::: aside 题\n二\n:::\n\n::: qa\n三\n:::\n')).not.toThrow();
    expect(check('一\n\n::: asdie 题\n二\n:::\n')).toThrow(/^a\.md:3: .*asdie.*aside、qa/);
  });

  it('that are not closed are reported at their first line', () => {
    expect(check('::: aside\n一\n\n::: qa\n二\n:::\n')).toThrow(/^a\.md:1: .*aside/);
    expect(check('一\n::: qa\n二\n')).toThrow(/^a\.md:2: .*qa/);
    expect(check('一\n:::\n')).toThrow(/^a\.md:2: /);
  });
});
