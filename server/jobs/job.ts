import type { Sql } from 'postgres'
import type { FileStore } from '#server/files/store.ts'

/** The connections that a job uses. `owner` reads across organisations, `exports` takes as long as it needs. */
export type JobResources = {
  readonly app: Sql
  readonly owner: Sql
  readonly exports: Sql
  readonly store: FileStore
}

/** Work in the background, across organisations, each in its own transactions; may be interrupted and is repeated. */
export type BackgroundJob = {
  /** Unique; the name in logs and metrics. */
  readonly name: string
  /** The name on the platform's page. */
  readonly title: string
  readonly everySeconds: number
  readonly run: (resources: JobResources) => Promise<unknown>
}

const SECONDS_OF_AN_HOUR = 3600
const SECONDS_OF_A_LOOK = 2

/** A job of every hour. */
export const hourly = (name: string, title: string, run: BackgroundJob['run']): BackgroundJob => ({
  name,
  title,
  everySeconds: SECONDS_OF_AN_HOUR,
  run,
})

/** A job that looks every few seconds for what is due. */
export const frequent = (name: string, title: string, run: BackgroundJob['run']): BackgroundJob => ({
  name,
  title,
  everySeconds: SECONDS_OF_A_LOOK,
  run,
})
