import { expect, it } from 'vitest'
import { today } from '#kernel/values/date.ts'
import { documents } from '#app/modules.ts'
import { blankHeader } from '#web/editor/document/use-document.ts'

it('a default of now or today is the moment and the day, on every page: never a word', () => {
  const words = documents.flatMap(definition =>
    Object.entries(blankHeader(definition, {}))
      .filter(([, value]) => value === 'now' || value === 'today')
      .map(([name]) => `${definition.kind}.${name}`),
  )
  expect(words).toEqual([])
  const use = documents.find(({ kind }) => kind === 'departmentUse')!
  const header = blankHeader(use, { patient_no: 'P1', elsewhere: 'x' })
  expect(Math.abs(Date.parse(String(header.used_at)) - Date.now())).toBeLessThan(60_000)
  expect(header).toMatchObject({ patient_no: 'P1', business_date: today() })
  expect(header).not.toHaveProperty('elsewhere')
})
