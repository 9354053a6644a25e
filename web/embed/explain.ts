// The sentence for the owner of a page whose widgets stay as they were built.

export function explain(error: unknown): string {
  const message = String(error);
  if (typeof WebAssembly === 'undefined')
    return '这个浏览器里没有WebAssembly，小工具没有启动，这里留着原来的内容。';
  if (/content security policy|unsafe-eval/i.test(message))
    return "这一页的内容安全策略不许运行WebAssembly（script-src里缺'wasm-unsafe-eval'），小工具没有启动，这里留着原来的内容。";
  return '计算模块载入失败，小工具没有启动，这里留着原来的内容。';
}
