import path from 'node:path'
import { type RunnerTask, type RunnerTestFile, TestRunner } from 'vitest'
import { orderDebts } from './order-debts.ts'

const debts = new Set<string>(orderDebts.slice(0, 0))

function keepOrder(task: RunnerTask): void {
  if (task.type !== 'suite') return
  task.shuffle = false
  task.tasks.forEach(keepOrder)
}

/** Runs the tests of a file in the order that the seed gives, except in files that still depend on theirs. */
export default class ShufflingRunner extends TestRunner {
  onCollected(files: RunnerTestFile[]): void {
    for (const file of files) if (debts.has(file.filepath)) keepOrder(file)
  }
}
