import { it, onTestFinished } from 'vitest'

/** Adds a step: what happens, and what is then true. */
export type Step = (title: string, run: () => unknown, timeout?: number) => void

type Undo = () => unknown
/** What the running step has to undo; null between steps and in tests without steps. */
let undoings: Undo[] | null = null

/** Undoes something when the step or test that did it is over. Throws where neither runs, as in a hook. */
export function whenFinished(undo: Undo): void {
  if (undoings === null) onTestFinished(async () => void (await undo()))
  else undoings.push(undo)
}

/** As long as a test may take. */
const STEP_MS = 100_000

/**
 * A story that is one sequence, as one test: each step needs what the steps before it did. They run in the order they
 * are written; the first that fails ends the story, and its title begins the message. What a step changed for itself is
 * undone after it.
 */
export function story(title: string, write: (step: Step) => void): void {
  const steps: { readonly title: string; readonly run: () => unknown; readonly timeout: number }[] = []
  write((name, run, timeout = STEP_MS) => void steps.push({ title: name, run, timeout }))
  const timeout = steps.reduce((sum, step) => sum + step.timeout, 0)
  it(title, { timeout }, async () => {
    for (const step of steps) {
      const mine: Undo[] = []
      undoings = mine
      try {
        await step.run()
      } catch (error) {
        if (error instanceof Error) error.message = `${step.title}: ${error.message}`
        throw error
      } finally {
        undoings = null
        for (const undo of mine.reverse()) await undo()
      }
    }
  })
}
