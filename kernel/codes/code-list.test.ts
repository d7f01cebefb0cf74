import { expect, test } from 'vitest'
import { codesOfText } from './code-list.ts'

const GTIN = '06901234567892'
const codes = (text: string) => {
  const read = codesOfText(text)
  return 'codes' in read ? read.codes : `undecided ${read.undecided}`
}

test('blanks, tabs and ends of lines separate codes, whatever these are', () => {
  expect(codes(`(01)${GTIN}(21)A1\r\nH01-1\tH01-2　H01-3  `)).toEqual([`(01)${GTIN}(21)A1`, 'H01-1', 'H01-2', 'H01-3'])
  expect(codes(`]d201${GTIN}21A1\u001d10L1\nH01-1`)).toEqual([`]d201${GTIN}21A1\u001d10L1`, 'H01-1'])
})

test('commas and semicolons separate codes, also full-width ones', () => {
  expect(codes('H01-1,H01-2，H01-3;H01-4；,H01-5,')).toEqual(['H01-1', 'H01-2', 'H01-3', 'H01-4', 'H01-5'])
  expect(codes(`(01)${GTIN}(21)A1,(01)${GTIN}(21)A2`)).toEqual([`(01)${GTIN}(21)A1`, `(01)${GTIN}(21)A2`])
  expect(codes(`01${GTIN}21A1,01${GTIN}21A2`)).toEqual([`01${GTIN}21A1`, `01${GTIN}21A2`])
  expect(codes('MA.156.M0.100761.21234561.Sx1,MA.156.M0.100761.21234561.Sx2')).toHaveLength(2)
})

test.each([`(01)${GTIN}(21)A1,B;2`, `]C101${GTIN}21A1,B2`, `01${GTIN}21A1,B2`])(
  'a comma within the serial of one whole code separates nothing: %s',
  code => {
    expect(codes(code)).toEqual([code])
    expect(codes(`H01-1\n${code}\nH01-2`)).toEqual(['H01-1', code, 'H01-2'])
  },
)

test('a text that is one whole code and several as well is not decided', () => {
  expect(codes(`(01)${GTIN}(21)A,DSB2601010001`)).toBe(`undecided (01)${GTIN}(21)A,DSB2601010001`)
})
