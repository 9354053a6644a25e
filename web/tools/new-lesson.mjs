// npm run new:lesson -- c3/l11: writes a lesson that builds, with the twelve sections of the frame,
// one number and one question, and adds it to the chapter's map.
import {existsSync, readFileSync} from 'node:fs';
import {Failure, main, root} from './run.mjs';
import {argument, insertBefore, writeNew} from './scaffold.mjs';

const sections = [
  [
    '从已有出发',
    'from',
    '::: recap 上一课\n上一课留下了什么？\n:::\n\n教学句有{num example_tokens}个词元。',
  ],
  ['先自己设计', 'design', '看答案之前，先猜一猜。'],
  ['它在哪里失败', 'fails', '最直接的办法，哪里行不通？'],
  ['改进第一轮', 'improve-1', '改一处，看看好了多少。'],
  ['改进第二轮', 'improve-2', '再改一处。'],
  ['常见误解', 'misconceptions', '::: misconception\n容易怎样想？\n:::'],
  ['注意力的演进，你在这里', 'evolution', '这一课在演进的哪一站？'],
  ['证据三问', 'evidence', '::: evidence\n谁量的，量了什么，能说明什么？\n:::'],
  ['一句话', 'sentence', '::: sentence\n一句话说完这一课。\n:::'],
  ['下一个缺口', 'gap', '::: gap\n还差什么？\n:::'],
  ['你可能会问', 'questions', '::: qa 一个问题？\n一个回答。\n:::'],
  ['数字口径', 'provenance', '每个数字点开，都有来历。'],
];

const page = (id, course) => `---
id: ${id}
course: ${course}
title: 这一课的题目
topic: 这一课的话题
lead: 两三句话，说清这一课从哪里来，要解决什么。
question: 这一课问什么？
later:
  - {what: 这一课先不讲的, lesson: C11}
---

还差什么？放一张停在失败处的图，再用一句话说出坏在哪里。

::: bars wrong
| 哪一样 | 同一个刻度 |
| --- | --- |
| 教学句的词元 | {num example_tokens} |
:::

${sections
  .map(([title, name, text]) => {
    const check =
      name === 'design'
        ? `\n\n<attn-check id="q-example" question="${id}/example">\n</attn-check>`
        : '';
    return `## ${title} {#${name}}\n\n${text}${check}`;
  })
  .join('\n\n')}
`;

const numbers = `// Numbers of this lesson; each has its source.
import {defineNumbers} from '../../../web/site/numbers.js';

export default defineNumbers(({world, teaching, format}) => ({
  example_tokens: teaching(world.tokens.length, format.integer, {
    formula: '教学句的词元数',
    key: 'tokens',
  }),
}));
`;

const questions = `// Questions of this lesson; every answer is computed.
import {defineQuestions} from '../../../web/site/questions.js';

export default defineQuestions(({world}) => ({
  example: {
    kind: 'number',
    prompt: '教学句有几个词元？',
    answer: world.tokens.length,
    explain: '一共**{num example_tokens}**个。',
  },
}));
`;

const entry = (id, label) => `    {
      id: '${id}',
      label: '${label}',
      topic: '这一课的话题',
      question: '这一课问什么？',
      minutes: 20,
      needs: [],
    },
`;

await main(async () => {
  const name = argument({
    command: 'new:lesson',
    example: 'c3/l11',
    form: /^c\d+\/[lb]\d+$/,
    rule: '先是一章，再是l或b加数字',
  });
  const [chapter, lesson] = name.split('/');
  const map = `lessons/${chapter}/chapter.ts`;
  if (!existsSync(root + map)) throw new Failure(`没有“${chapter}”这一章，它要有 ${map}。`);
  const id = `${chapter}-${lesson}`;
  writeNew({
    [`lessons/${name}/index.md`]: page(id, chapter.toUpperCase()),
    [`lessons/${name}/numbers.ts`]: numbers,
    [`lessons/${name}/questions.ts`]: questions,
  });
  const number = Number(lesson.slice(1));
  const label = lesson.startsWith('l') ? `第${number}课` : `岔路B${number}`;
  if (!readFileSync(root + map, 'utf8').includes(`'${id}'`))
    insertBefore(map, '  ],\n});', entry(id, label));
});
