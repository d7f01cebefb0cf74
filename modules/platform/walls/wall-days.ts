import { f } from '#kernel/definition/field.ts'

/** The days that a wall shows, both included. */
export const wallDays = {
  begin_date: f.day('开始日期', { required: true }),
  end_date: f.day('结束日期', { required: true }),
} as const
