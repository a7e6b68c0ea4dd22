import { defineConfig } from 'vitepress'

/** Headings have the names that they have where the pages are read in the repository. */
const slugify = (heading) =>
  heading
    .replace(/<[^>]+>/g, '')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')

const page = (text, name) => ({ text, link: `/docs/${name}` })

export default defineConfig({
  title: 'margin-core',
  description: 'An event-sourced isolated-margin trading engine',
  lang: 'en',
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  srcDir: '.pages',
  outDir: 'dist',
  cacheDir: 'node_modules/.cache/vitepress',
  metaChunk: true,
  // Pages of code are beside the generated ones; addresses of a venue on this machine are none.
  ignoreDeadLinks: [/^\/code\//, /^https?:\/\/(127\.0\.0\.1|localhost)/],
  markdown: { anchor: { slugify }, toc: { slugify } },
  vite: { build: { chunkSizeWarningLimit: 2_000 } },
  themeConfig: {
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        _render: (text, env, md) => {
          const html = md.render(text, env)
          return env.frontmatter?.search === false ? '' : html
        },
      },
    },
    nav: [
      { text: 'Learn', link: '/docs/learning' },
      { text: 'Playground', link: '/playground' },
      { text: 'Rules', link: '/docs/rules' },
      { text: 'Reference', link: '/reference/' },
    ],
    sidebar: [
      {
        text: 'Begin',
        items: [
          { text: 'Overview', link: '/README' },
          page('Three ways in', 'learning'),
          { text: 'Playground', link: '/playground' },
          page('Install', 'install'),
          { text: 'Examples', link: '/examples/README' },
          page('Comparison', 'comparison'),
        ],
      },
      {
        text: 'Embed it',
        items: [
          page('Model and formulas', 'model'),
          page('Commands', 'commands'),
          page('Events', 'events'),
          page('Errors', 'errors'),
          page('Durability', 'durability'),
          page('Cluster', 'cluster'),
        ],
      },
      {
        text: 'Trade with it',
        items: [
          page('Backtesting', 'backtesting'),
          page('Indicators', 'indicators'),
          page('Research', 'research'),
          page('What is exported', 'exports'),
          page('Workbench', 'workbench'),
          page('Agreement with others', 'agreement'),
          page('The host', 'host'),
          page('Console', 'console'),
          page('Stream', 'stream'),
          page('Rules of the venue', 'rules'),
        ],
      },
      {
        text: 'Operate it',
        items: [
          page('Configuration', 'configuration'),
          page('Operating', 'operating'),
          page('Price feeds', 'feeds'),
          page('Deployment', 'deployment'),
          page('Security', 'security'),
          page('Conformance', 'conformance'),
        ],
      },
      {
        text: 'Study it',
        items: [
          page('Architecture', 'architecture'),
          page('Laws', 'laws'),
          page('Testing', 'testing'),
          page('Glossary', 'glossary'),
          { text: 'Figures', link: '/bench/README' },
          { text: 'Contributing', link: '/CONTRIBUTING' },
        ],
      },
      {
        text: 'Reference',
        items: [
          { text: 'All entry points', link: '/reference/' },
          page('Command line', 'command-line'),
          page('Versions', 'versions'),
          { text: 'Changelog', link: '/CHANGELOG' },
        ],
      },
    ],
  },
})
