// The layering of ARCHITECTURE.md for TypeScript; web/tools/includes.mjs checks that of C++.
// Types count as well: a file that names another one's types can't be read without it.

const only = (name, from, to, comment) => ({
  name,
  comment,
  severity: 'error',
  from: {path: from},
  to: {path: '^(core|wasm|web|lessons|tests|build)/', pathNot: to},
});

export default {
  forbidden: [
    {
      name: 'no-circle',
      comment: 'Split what both files need into a third one.',
      severity: 'error',
      from: {},
      to: {circular: true},
    },
    only(
      'raw-modules',
      '^web/[^/]+\\.ts$',
      '^(web/[^/]+\\.ts$|wasm/|build/wasm/)',
      'The files beside web/core.ts wrap the raw modules and know nothing else of web/.',
    ),
    only(
      'shared-stands-below',
      '^web/shared/(?!course-)',
      '^web/(shared/|[^/]+\\.ts$)',
      'Parts of pictures know no widget, no page and no lesson.',
    ),
    only(
      'training-stands-below',
      '^web/training/',
      '^(web/(training/|shared/|[^/]+\\.ts$)|(build/)?wasm/)',
      'The run behind attn-train knows no widget.',
    ),
    only(
      'widgets',
      '^web/elements/',
      '^(web/(elements/|training/|shared/|[^/]+\\.ts$)|(build/)?wasm/)',
      'Widgets know neither pages nor lessons.',
    ),
    only(
      'pages',
      '^web/(site|embed)/',
      '^(web/(?!tools/)|(build/)?wasm/)',
      'Data of the course comes through web/shared/course-….ts.',
    ),
    only('tools', '^web/tools/', '^web/tools/', 'Commands run before anything is built.'),
    only(
      'lessons',
      '^lessons/',
      '^(lessons/|web/(site|shared)/|web/[^/]+\\.ts$)',
      'A lesson computes with the core; what it shares with a widget lies in web/shared.',
    ),
    {
      name: 'not-to-tests',
      severity: 'error',
      from: {path: '^(web|lessons)/'},
      to: {path: '^tests/'},
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: {fileName: 'tsconfig.json'},
    doNotFollow: {path: 'node_modules'},
    exclude: {path: '(^|/)node_modules/'},
  },
};
