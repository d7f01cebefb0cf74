import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that need the demo come last: whoever seeds it first needs a minute, and the others would wait for it with idle hands. */
export class DemoLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const needsDemo = ({ moduleId }: TestSpecification) => readFileSync(moduleId, 'utf8').includes('demo: true')
    return [...sorted.filter(file => !needsDemo(file)), ...sorted.filter(needsDemo)]
  }
}
