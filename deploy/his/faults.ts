import { setTimeout as sleep } from 'node:timers/promises'

/** Faults on purpose: every answer is late, or the next ones fail. */
export type Faults = {
  /** Milliseconds before each answer. */
  delay_ms: number
  /** The number of next calls that fail; -1: all until this is changed. */
  failing: number
  /** The status with which they fail; 0: the connection is cut. */
  status: number
  /** Fails after the work was done, so that the caller does not learn of it. */
  after_work: boolean
  /** FHIR alone. Answers a search with all that it has, as servers do that leave out what they do not know. */
  lenient: boolean
  /** Leaves out what FHIR lets a server leave out. */
  sparse: boolean
  /** Puts what is old, over or of another script before what is in force. */
  disordered: boolean
}

export const noFaults = (): Faults => ({
  delay_ms: 0,
  failing: 0,
  status: 503,
  after_work: false,
  lenient: false,
  sparse: false,
  disordered: false,
})

const NAMES = Object.keys(noFaults()) as (keyof Faults)[]

/** Sets the named faults; a name that the stand-in does not know is refused. */
export function switchFaults(faults: Faults, wanted: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(wanted)) {
    const known = NAMES.find(each => each === name)
    if (!known || typeof value !== typeof faults[known]) throw new Error(`没有故障开关${name}`)
    Object.assign(faults, { [known]: value })
  }
}

/** From the environment: HIS_DELAY_MS, and HIS_FAILING calls that fail with HIS_FAIL_STATUS. */
export function faultsFrom(env: Readonly<Record<string, string | undefined>>): Faults {
  const count = (name: string, preset: number) =>
    /^-?\d{1,6}$/.test(env[name] ?? '') ? parseInt(env[name]!, 10) : preset
  return {
    ...noFaults(),
    delay_ms: count('HIS_DELAY_MS', 0),
    failing: count('HIS_FAILING', 0),
    status: count('HIS_FAIL_STATUS', 503),
  }
}

export const delayed = (faults: Faults): Promise<unknown> =>
  faults.delay_ms > 0 ? sleep(faults.delay_ms) : Promise.resolve()

/** True if this call fails; counts it. */
export function failsNow(faults: Faults): boolean {
  if (faults.failing === 0) return false
  if (faults.failing > 0) faults.failing -= 1
  return true
}
