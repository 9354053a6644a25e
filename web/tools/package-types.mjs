// Types of the npm package: each widget's state and result as the compiler reads them from its
// source, written out without names of the project's own.
import ts from 'typescript';
import {Failure, root} from './run.mjs';

const {TypeFlags} = ts;

/** Types that contain themselves are written to this depth. */
const DEEPEST = 12;

function objectOf(checker, type, at, depth) {
  const fields = checker.getPropertiesOfType(type).map((property) => {
    const declared = checker.getTypeOfSymbolAtLocation(property, at);
    const optional = property.flags & ts.SymbolFlags.Optional ? '?' : '';
    const name = /^[\w$]+$/.test(property.name) ? property.name : JSON.stringify(property.name);
    return `${name}${optional}: ${written(checker, declared, at, depth + 1)}`;
  });
  const rest = checker.getIndexInfoOfType(type, ts.IndexKind.String);
  if (rest) fields.push(`[key: string]: ${written(checker, rest.type, at, depth + 1)}`);
  return fields.length > 0 ? `{${fields.join('; ')}}` : 'object';
}

/** A type as TypeScript text that needs no other declaration. */
function written(checker, type, at, depth = 0) {
  if (depth > DEEPEST) return 'unknown';
  const inner = (other) => written(checker, other, at, depth + 1);
  if (type.flags & TypeFlags.Boolean) return 'boolean';
  if (type.isUnion()) {
    const parts = [...new Set(type.types.map(inner))];
    const both = parts.includes('true') && parts.includes('false');
    const others = parts.filter((part) => !/^(true|false)$/.test(part));
    return (both ? [...others, 'boolean'] : parts).join(' | ');
  }
  if (checker.isTupleType(type))
    return `readonly [${checker.getTypeArguments(type).map(inner).join(', ')}]`;
  if (checker.isArrayType(type))
    return `ReadonlyArray<${inner(checker.getTypeArguments(type)[0])}>`;
  if (type.isIntersection() || type.flags & TypeFlags.Object) {
    if (type.getCallSignatures().length > 0) return 'unknown';
    const name = type.symbol?.name ?? '';
    if (/^(Float|Uint|Int)\d+Array$/.test(name)) return name;
    return objectOf(checker, type, at, depth);
  }
  return checker.typeToString(type);
}

/**
 * The types of each widget's state and result.
 *
 * @param {readonly {tag: string, className: string}[]} widgets
 * @returns {Map<string, {state: string, result: string}>}  by tag
 */
export function typesOf(widgets) {
  const {config} = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
  const {options} = ts.parseJsonConfigFileContent({...config, include: []}, ts.sys, root);
  const fileOf = (tag) => `${root}web/elements/${tag}.ts`;
  const program = ts.createProgram(
    [...widgets.map(({tag}) => fileOf(tag)), `${root}web/site/types.d.ts`],
    options,
  );
  const checker = program.getTypeChecker();
  const found = widgets.map(({tag, className}) => {
    const at = program.getSourceFile(fileOf(tag));
    const symbol = checker
      .getExportsOfModule(checker.getSymbolAtLocation(at))
      .find(({name}) => name === className);
    const [base] = symbol ? checker.getBaseTypes(checker.getDeclaredTypeOfSymbol(symbol)) : [];
    const [state, result] = base ? checker.getTypeArguments(base) : [];
    if (!state || !result) throw new Failure(`${tag}: 读不出状态和结果的类型`);
    return [tag, {state: written(checker, state, at), result: written(checker, result, at)}];
  });
  return new Map(found);
}
