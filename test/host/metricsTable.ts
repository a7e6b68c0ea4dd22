// The table of docs/operating.md, from the metrics as they are registered.

import type { Registry } from 'prom-client'

/** Those that Node gives differ between systems. */
const OF_NODE = /^margin_core_(?:process|nodejs)_/

export function metricRows(registry: Registry): string[] {
  return registry
    .getMetricsAsArray()
    .filter(({ name }) => !OF_NODE.test(name))
    .map((metric) => {
      const { name, help } = metric
      const { labelNames } = metric as unknown as { readonly labelNames: readonly string[] }
      const labels = labelNames.map((label) => `\`${label}\``).join(', ')
      return `| \`${name}\` | ${String(metric.type)} | ${labels} | ${help} |`
    })
}
