/// <reference types="vite/client" />

declare module '@11ty/eleventy' {
  interface UserConfig {
    setIncludesDirectory(folder: string): void;
    setTemplateFormats(formats: string[]): void;
    addPassthroughCopy(pattern: string): void;
    setUseTemplateCache(use: boolean): void;
    setLibrary(language: string, library: unknown): void;
    addGlobalData(name: string, value: unknown): void;
    addTemplate(path: string, content: string, data: Record<string, unknown>): void;
    addFilter(name: string, filter: (...args: never[]) => unknown): void;
    addPreprocessor(
      name: string,
      formats: string,
      process: (data: never, content: string) => string,
    ): void;
    addTransform(name: string, transform: (content: string) => Promise<string>): void;
  }
  export default class Eleventy {
    constructor(
      input: string,
      output: string,
      options: {
        quietMode: boolean;
        config: (config: UserConfig) => {markdownTemplateEngine: false; htmlTemplateEngine: false};
      },
    );
    disableLogger(): void;
    setIgnoreInitial(ignore: boolean): void;
    setIncrementalFile(path: string): void;
    write(): Promise<unknown>;
    toJSON(): Promise<unknown>;
  }
}
