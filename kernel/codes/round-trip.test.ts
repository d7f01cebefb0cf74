import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { gtinCheckDigit } from './check-digit.ts'
import { UnprintableCode, canonicalUdi, digitalLink, gs1Bracketed, gs1ElementString } from './encode.ts'
import type { Gs1Part } from './encode.ts'
import { parseCode } from './parse-code.ts'
import type { CodeContext, ReadCode } from './parsed-code.ts'
import { yymmdd } from './code-date.ts'

const context: CodeContext = { today: '2026-06-15' }
const GS = '\x1d'

const gtin = fc.stringMatching(/^[0-9]{12}[1-9]$/).map(body => body + (gtinCheckDigit(body) ?? ''))
const invariant = fc.stringMatching(/^[!"%-?A-Z_a-z]{1,20}$/)
const plain = fc.stringMatching(/^[A-Za-z0-9/_-]{1,20}$/)
const day = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2070-12-31'), noInvalidDate: true })
  .map(it => it.toISOString().slice(0, 10))

interface Piece {
  di: string
  lot: string
  serial: string
  made: string
  expires: string
}

const pieceOf = (text: fc.Arbitrary<string>) =>
  fc.record({ di: gtin, lot: text, serial: text, made: day, expires: day })

function partsOf(piece: Piece): Gs1Part[] {
  return [
    { ai: '21', value: piece.serial },
    { ai: '17', value: yymmdd(piece.expires) ?? '' },
    { ai: '10', value: piece.lot },
    { ai: '11', value: yymmdd(piece.made) ?? '' },
    { ai: '01', value: piece.di },
  ]
}

function expectPiece(code: string, piece: Piece): ReadCode {
  const read = parseCode(code, context)
  expect(read).toMatchObject({
    ok: true,
    di: piece.di,
    lot: piece.lot,
    serial: piece.serial,
    productionDate: piece.made,
    expiryDate: piece.expires,
  })
  return read as ReadCode
}

const toFullWidth = (text: string): string =>
  text.replace(/[!-~]/g, key => String.fromCharCode(key.charCodeAt(0) + 0xfee0))

describe('printed codes read back the same', () => {
  test.each(['', ']C1', ']d2', ']Q3', ']C1]C1', GS, `]d2${GS}`])('element string after prefix %j', prefix => {
    fc.assert(
      fc.property(pieceOf(invariant), piece => {
        expect(expectPiece(prefix + gs1ElementString(partsOf(piece)), piece).repaired).toBe(false)
      }),
    )
  })

  test.each(['<GS>', '{GS}', '[GS]', '<F8>', '\\x1d', '\\u001d', '^]', ']', '|', '␝'])(
    'element string with separators sent as %s',
    spelling => {
      fc.assert(
        fc.property(pieceOf(plain), piece => {
          expectPiece(`]C1${gs1ElementString(partsOf(piece)).replaceAll(GS, spelling)}`, piece)
        }),
      )
    },
  )

  test('GS1 QR with % for the separator and %% for itself', () => {
    fc.assert(
      fc.property(pieceOf(invariant), piece => {
        const inSymbol = gs1ElementString(partsOf(piece)).replaceAll('%', '%%').replaceAll(GS, '%')
        // A lot ending or a serial starting with % makes three in a row, which no scanner could separate either.
        fc.pre(!/[<{[\\^]|%%%/.test(inSymbol))
        expectPiece(`]Q3${inSymbol}`, piece)
      }),
    )
  })

  test('the printed line, Digital Link, and full-width keys', () => {
    fc.assert(
      fc.property(pieceOf(invariant), piece => {
        expectPiece(gs1Bracketed(partsOf(piece)), piece)
        expect(expectPiece(digitalLink(partsOf(piece)), piece).kind).toBe('gs1-digital-link')
        expectPiece(toFullWidth(`]C1${gs1ElementString(partsOf(piece))}`), piece)
        expectPiece(toFullWidth(gs1Bracketed(partsOf(piece))), piece)
      }),
    )
  })

  test('a piece has the same unit code on every carrier', () => {
    fc.assert(
      fc.property(pieceOf(invariant), piece => {
        const unit = canonicalUdi(piece.di, piece.serial)
        expect(unit).toMatch(/^\(01\)\d{14}\(21\)/)
        expect(parseCode(unit, context)).toMatchObject({ di: piece.di, serial: piece.serial })
      }),
    )
  })
})

describe('the shape of what we print', () => {
  const parts: Gs1Part[] = [
    { ai: '10', value: 'A/1' },
    { ai: '21', value: 'S' },
    { ai: '01', value: '06901234567892' },
    { ai: '17', value: '281231' },
  ]
  test('product first, fixed groups next, separators only where needed', () => {
    expect(gs1ElementString(parts)).toBe(`01069012345678921728123110A/1${GS}21S`)
    expect(gs1Bracketed(parts)).toBe('(01)06901234567892(17)281231(10)A/1(21)S')
    expect(digitalLink(parts)).toBe('https://id.gs1.org/01/06901234567892/10/A%2F1/21/S?17=281231')
    expect(digitalLink([...parts, { ai: '22', value: 'V' }], 'https://udi.example.cn/')).toContain(
      'example.cn/01/06901234567892/22/V/10/',
    )
  })
  test('a serial that looks like a group is not read as one', () => {
    expect(canonicalUdi('6901234567892', 'A(10)B')).toBe('(01)06901234567892(21)A\\(10)B')
    expect(parseCode('(01)06901234567892(21)A\\(10)B')).toMatchObject({ serial: 'A(10)B', lot: null })
    expect(canonicalUdi('06901234567892', 'A#1')).toBe('(01)06901234567892(21)A#1')
  })
  test.each<[string, Gs1Part[]]>([
    ['a wrong check digit', [{ ai: '01', value: '06901234567893' }]],
    ['a long lot', [{ ai: '10', value: 'x'.repeat(21) }]],
    ['an unassigned identifier', [{ ai: '05', value: '1' }]],
    [
      'a repeated group',
      [
        { ai: '10', value: 'A' },
        { ai: '10', value: 'A' },
      ],
    ],
    ['a forbidden character', [{ ai: '10', value: 'A B' }]],
    ['nothing', []],
    ['no day', [{ ai: '17', value: '281301' }]],
  ])('%s is not printed', (_name, bad) => {
    expect(() => gs1ElementString(bad)).toThrow(UnprintableCode)
    expect(() => gs1Bracketed(bad)).toThrow(/[\u4e00-\u9fff].*。$/)
  })
  test('without a product there is no link and no unit code', () => {
    expect(() => digitalLink([{ ai: '10', value: 'A' }])).toThrow(UnprintableCode)
    expect(() => canonicalUdi('123', 'A')).toThrow(UnprintableCode)
    expect(() => canonicalUdi('06901234567892', '')).toThrow(UnprintableCode)
  })
})
