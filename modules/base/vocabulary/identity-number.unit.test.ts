import { expect, it } from 'vitest'
import { isIdentityNumber, maskedIdentity } from '#modules/base/vocabulary/identity-number.ts'

it('the number of an identity card has 18 characters, of which the last proves the others', () => {
  for (const right of ['11010519491231002X', '440524188001010014']) expect(isIdentityNumber(right), right).toBe(true)
  for (const wrong of ['110105194912310021', '11010519491231002x', '1101051949123100', '110105194913310023', '', 'X'])
    expect(isIdentityNumber(wrong), wrong).toBe(false)
})

it('is printed without the part that would tell it', () => {
  expect(maskedIdentity('11010519491231002X')).toBe('110***********002X')
})
