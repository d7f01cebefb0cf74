import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that need the demo run last: the first to seed it takes a minute, and the others would only wait for it. */
export class DemoLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const needsDemo = ({ moduleId }: TestSpecification) =>
      /demo: true|openSite\(\)/.test(readFileSync(moduleId, 'utf8'))
    return [...sorted.filter(file => !needsDemo(file)), ...sorted.filter(needsDemo)]
  }
}
