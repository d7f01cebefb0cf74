import { it } from 'vitest'

/** Adds a step: what happens, and what is then true. */
export type Step = (title: string, run: () => unknown, timeout?: number) => void

/** As long as a test may take. */
const STEP_MS = 30_000

/**
 * A story that is one sequence, as one test: each step needs what the steps before it did. They run in the order they
 * are written; the first that fails ends the story, and its title begins the message.
 */
export function story(title: string, tell: (step: Step) => void): void {
  const steps: { readonly title: string; readonly run: () => unknown; readonly timeout: number }[] = []
  tell((name, run, timeout = STEP_MS) => void steps.push({ title: name, run, timeout }))
  const timeout = steps.reduce((sum, step) => sum + step.timeout, 0)
  it(title, { timeout }, async () => {
    for (const step of steps) {
      try {
        await step.run()
      } catch (error) {
        if (error instanceof Error) error.message = `${step.title}: ${error.message}`
        throw error
      }
    }
  })
}
