/** How the page of the workbench is made, as the console's is: a release is packed with the files. */
import { bundlePage } from '../host/pages/bundlePage.ts'

/** The files by name. `page`: the folder of its sources. */
export function bundleWorkbench(page: string): Promise<Map<string, string>> {
  return bundlePage(page, {
    entries: { workbench: 'main.tsx', style: 'workbench.css' },
    icon: '../../host/console/page/icon.svg',
    inside: ['preact'],
  })
}
