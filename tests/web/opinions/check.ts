// <attn-check>: a guess beside the computed answer.

import type {CheckState} from '../../../web/elements/attn-check.js';
import type {QuestionContent} from '../../../web/shared/content.js';
import {plainRich} from '../../../web/shared/rich-text.js';
import type {TeachingWorld} from '../../../web/shared/world.js';
import type {State} from '../random-state.js';
import {type Contents, pct, Reader, type Shown, sig} from './reading.js';

const questionOf = (contents: Contents, name: unknown) =>
  contents.get(`questions/${String(name)}`) as QuestionContent;

export function checkOpinion(
  {question: name, guess, shown: opened}: CheckState,
  shown: Shown,
  _world: TeachingWorld,
  contents: Contents,
): string[] {
  const reader = new Reader(shown);
  const question = questionOf(contents, name);
  const {answer, tolerance, unit = ''} = question;
  const options = question.options.map(plainRich);
  const choice = question.kind === 'choice';
  const tail = unit === '%' ? ' %' : unit;
  const typed = guess === null ? '' : `${String(guess).replace(/^-/, '−')}${tail}`;
  if (choice) reader.table(options.map((option, i) => [option, i === guess ? '✓' : '']));
  else reader.table([[plainRich(question.prompt), guess === null ? '还没有写' : typed]]);

  /** The sentence is `before`, the answer, `after`. */
  const answered = (before: string, after: string) => {
    if (choice) return reader.is(shown.says, `${before}「${options[answer]}」${after}`, 'says');
    const [start, end] = [shown.says.slice(0, before.length), shown.says.slice(before.length)];
    const printed = end.slice(0, end.length - after.length);
    reader.is(start, before, 'says');
    reader.is(end.slice(printed.length), after, 'says');
    if (unit === '%') return reader.is(printed, pct(answer / 100), 'says');
    reader.is(printed.slice(0, printed.length - unit.length), sig(answer), 'says');
    reader.is(printed.slice(printed.length - unit.length), unit, 'says');
  };
  if (guess === null) {
    if (opened) answered('没有先猜，直接打开了答案：', '。');
    else reader.is(shown.says, '还没有作答。', 'says');
    return reader.wrong;
  }
  const mine = choice ? `你选了「${options[guess]}」` : `你写了${typed}`;
  if (!opened) {
    reader.is(shown.says, `${mine}。打开答案对一对。`, 'says');
  } else if (choice && guess === answer) {
    reader.is(shown.says, `${mine}，猜对了。`, 'says');
  } else if (choice) {
    answered(`${mine}，算出来是`, '。');
  } else if (Math.abs(guess - answer) <= tolerance) {
    answered(`${mine}，算出来是`, '，够近了。');
  } else {
    const [, words = '', side, gap = ''] = /(，([高低])了([^高低]*))。$/u.exec(shown.says) ?? [];
    reader.is(side ?? '', guess > answer ? '高' : '低', 'says');
    reader.is(gap.slice(0, gap.length - tail.length), sig(Math.abs(guess - answer), 3), 'says');
    answered(`${mine}，算出来是`, `${words}。`);
  }
  return reader.wrong;
}

/** Questions of every lesson, and guesses near the answer as well as wild ones. */
export function sampleCheck(state: State, random: () => number, contents: Contents): State {
  const names = [...contents.keys()].filter((name) => name.startsWith('questions/'));
  const name = names[Math.floor(names.length * random())]?.replace('questions/', '');
  const {kind, options, answer, tolerance} = questionOf(contents, name);
  const near = answer + (3 * random() - 1.5) * (tolerance || Math.abs(answer) || 1);
  const kinds = [
    null,
    kind === 'choice' ? Math.floor(options.length * random()) : near,
    kind === 'choice' ? answer : Number(near.toPrecision(3)),
    kind === 'choice' ? answer : state['guess'],
  ];
  return {...state, question: name, guess: kinds[Math.floor(kinds.length * random())]};
}
