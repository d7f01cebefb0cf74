import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that need the demo: the first to seed it takes a minute, and the others would only wait for it. */
const NEEDS_DEMO = /demo: true|openSite\(\)/
/** Files that go through all definitions, or all calls, take longest: none of them should be alone at the end. */
const GOES_THROUGH_ALL = /'#modules\/registry\.ts'|allCalls\(/

/** Files that need the demo run last, and in each half the long ones first. */
export class DemoLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = (await super.sort(files)).map(file => ({ file, text: readFileSync(file.moduleId, 'utf8') }))
    const rank = (text: string) => (NEEDS_DEMO.test(text) ? 2 : 0) + (GOES_THROUGH_ALL.test(text) ? 0 : 1)
    return sorted.sort((a, b) => rank(a.text) - rank(b.text)).map(({ file }) => file)
  }
}
