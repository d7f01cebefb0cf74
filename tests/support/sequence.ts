import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that need the demo come last: whoever seeds it first needs a minute, and the others would wait for it with idle hands. */
export class DemoLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const needsDemo = ({ moduleId }: TestSpecification) =>
      /demo: true|openSite\(\)/.test(readFileSync(moduleId, 'utf8'))
    return [...sorted.filter(file => !needsDemo(file)), ...sorted.filter(needsDemo)]
  }
}
