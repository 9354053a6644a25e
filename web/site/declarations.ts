// Declarations read from a widget's own source, for the gallery and for editors: the fields of its
// state with their comments, the type of its result, and the comment of its class with its name and
// purpose.

import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import ts from 'typescript';
import type {AnyWidgetClass} from '../elements/attn-widget/spec.js';
import {keysOf} from '../shared/schema.js';
import {BuildError} from './build-error.js';

export interface FieldDeclaration {
  name: string;
  type: string;
  /** The comment in the state's interface. */
  what: string;
  takes: string;
  /** The default value, as an attribute spells it. */
  fallback: string;
}

export interface Declaration {
  tag: string;
  className: string;
  /** The widget's name in the gallery: the tag @name of the class's comment. */
  name: string;
  /** The widget's purpose in one sentence: the tag @summary of the class's comment. */
  summary: string;
  fields: FieldDeclaration[];
  /** Body of the result's interface. */
  result: string;
}

const commentOf = (node: ts.Node) =>
  ts
    .getJSDocCommentsAndTags(node)
    .map(({comment}) => ts.getTextOfJSDocComment(comment) ?? '')
    .join(' ')
    .trim();

/** Statements of a widget: of its file, and of the files in its folder. */
function statementsOf(path: string): ts.Statement[] {
  const folder = path.replace(/\.ts$/, '');
  const parts = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  return [path, ...parts].flatMap((file) => [
    ...ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2022, true)
      .statements,
  ]);
}

/** The text after a tag of a class's comment, like "@name"; undefined without that tag. */
function taggedText(node: ts.Node, tag: string): string | undefined {
  const found = ts.getJSDocTags(node).find(({tagName}) => tagName.text === tag);
  return found && (ts.getTextOfJSDocComment(found.comment)?.trim() || undefined);
}

/** Throws BuildError where the file does not have the usual form of a widget. */
export function declarationOf({spec}: AnyWidgetClass): Declaration {
  const path = `web/elements/${spec.tag}.ts`;
  const statements = statementsOf(path);
  const widget = statements.find(
    (node): node is ts.ClassDeclaration =>
      ts.isClassDeclaration(node) &&
      /\bAttnWidget</.test(node.heritageClauses?.[0]?.getText() ?? ''),
  );
  const [state, result] =
    widget?.heritageClauses?.[0]?.types[0]?.typeArguments?.map((node) => node.getText()) ?? [];
  const interfaceOf = (name: string | undefined) =>
    statements.find(
      (node): node is ts.InterfaceDeclaration =>
        ts.isInterfaceDeclaration(node) && node.name.text === name,
    );
  const members = interfaceOf(state)?.members.filter(ts.isPropertySignature);
  if (!widget || !members)
    throw new BuildError(
      path,
      1,
      '找不到「class … extends AttnWidget<状态, 结果>」，或找不到状态的interface',
    );
  const name = taggedText(widget, 'name');
  const summary = taggedText(widget, 'summary');
  if (!name || !summary)
    throw new BuildError(
      path,
      1,
      '类的注释里缺「@name 名字」，或缺「@summary 一句话说它有什么用」',
    );
  const fields = keysOf(spec.schema as Record<string, never>).map((name): FieldDeclaration => {
    const member = members.find((node) => node.name.getText() === name);
    const field = (
      spec.schema as Record<
        string,
        {fallback: unknown; write: (value: unknown) => string; about?: {takes: string}}
      >
    )[name];
    if (!member?.type || !field) throw new BuildError(path, 1, `${state}里没有「${name}」`);
    return {
      name,
      type: member.type.getText(),
      what: commentOf(member),
      takes: field.about?.takes ?? '',
      fallback: field.write(field.fallback),
    };
  });
  return {
    tag: spec.tag,
    className: widget.name?.text ?? '',
    name,
    summary,
    fields,
    result:
      interfaceOf(result)
        ?.members.map((node) => node.getText().replace(/\s+/g, ' '))
        .join(' ') ?? '',
  };
}

/** Fields of states whose names are properties of every element; they are in `state` only. */
const ON_EVERY_ELEMENT = new Set(['part', 'prefix']);

/** https://github.com/webcomponents/custom-elements-manifest, for editors and catalogues. */
export function customElementsManifest(declarations: readonly Declaration[]): unknown {
  const text = (type: string) => ({text: type});
  const events = [
    {
      name: 'attn-ready',
      type: text('CustomEvent<{state, result}>'),
      description: '要载入的都到了，只发一次；冒泡，穿过影子树。',
    },
    {
      name: 'attn-change',
      type: text('CustomEvent<{state, result}>'),
      description: '状态变了，不管是谁改的；一起改的只发一次。',
    },
    {
      name: 'attn-error',
      type: text('CustomEvent<{code: string, message: string}>'),
      description: '给的值用不了；图仍是上一次的。',
    },
  ];
  const common = [
    {
      name: 'theme',
      type: text("'auto' | 'light' | 'dark'"),
      default: 'auto',
      description: '亮、暗，或跟随系统。',
    },
    {name: 'lang', type: text("'zh'"), default: 'zh', description: '界面的语言。'},
  ];
  return {
    schemaVersion: '1.0.0',
    modules: [
      {
        kind: 'javascript-module',
        path: 'attn.js',
        declarations: declarations.map(({tag, className, name, summary, fields, result}) => ({
          kind: 'class',
          name: className,
          tagName: tag,
          customElement: true,
          summary: name,
          description: summary,
          superclass: {name: 'HTMLElement'},
          attributes: [
            ...fields.map(({name, type, what, takes, fallback}) => ({
              name,
              type: text(type),
              default: fallback,
              description: [what, takes].filter(Boolean).join('。'),
            })),
            ...common,
          ],
          members: [
            {
              kind: 'field',
              name: 'state',
              type: text(`{${fields.map(({name, type}) => `${name}: ${type}`).join('; ')}}`),
              description: '输入，可读可写；写时只换给出的那几项。',
            },
            ...fields
              .filter(({name}) => !ON_EVERY_ELEMENT.has(name))
              .map(({name, type, what}) => ({
                kind: 'field',
                name,
                type: text(type),
                description: what,
                attribute: name,
              })),
            {
              kind: 'field',
              name: 'result',
              type: text(`{${result}}`),
              readonly: true,
              description: '核心为这个状态算出的结果。',
            },
            {
              kind: 'method',
              name: 'toSVG',
              return: {type: text('Promise<string>')},
              description: '现在的图，一份独立的SVG。',
            },
          ],
          events,
          cssProperties: HOST_PROPERTIES.map(({name, what}) => ({name, description: what})),
          slots: [{name: '', description: '核心就绪之前，以及来不了时，显示的内容。'}],
        })),
        exports: declarations.map(({tag, className}) => ({
          kind: 'custom-element-definition',
          name: tag,
          declaration: {name: className, module: 'attn.js'},
        })),
      },
    ],
  };
}

/** Properties that a host page may set on a widget or on an element around it. */
export const HOST_PROPERTIES: readonly {name: string; what: string}[] = [
  {name: '--text', what: '字体'},
  {name: '--size', what: '文字的大小，默认16px'},
  {name: '--ink', what: '文字的颜色'},
  {name: '--ink-2', what: '次要文字的颜色'},
  {name: '--raised', what: '小工具的底色'},
  {name: '--paper', what: '输入框的底色'},
  {name: '--rule', what: '边线的颜色'},
  {name: '--link', what: '按钮和链接的颜色'},
  {name: '--focus', what: '焦点框的颜色'},
];
