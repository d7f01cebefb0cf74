import { BusinessError } from '#kernel/rules/errors.ts'
import { type Day, today } from '#kernel/values/date.ts'

/** What somebody has been reminded of, with the day of the last reminder. */
type Reminded = { readonly reminded_on?: unknown }

/** How it is said that a reminder was sent today. */
export const REMINDED_TODAY = '今日已催办'
const ONCE_A_DAY = `${REMINDED_TODAY}，每日限一次，请明日再催`

/** True if a reminder was sent on this day: nobody is told twice on one day. */
export const isReminded = ({ reminded_on }: Reminded, day: Day = today()): boolean => reminded_on === day

/** The guard of an action that reminds somebody. */
export const oncePerDay = (doc: Reminded): true | string => !isReminded(doc) || ONCE_A_DAY

/** Refuses a second reminder on one day. */
export function refuseSecondReminder(reminded: Reminded | boolean): void {
  if (typeof reminded === 'boolean' ? reminded : isReminded(reminded)) throw new BusinessError('duplicate', ONCE_A_DAY)
}
