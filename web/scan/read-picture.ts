import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

/** The carriers of medical goods; others on a box (parcel labels) are none of ours. */
const formats = ['DataMatrix', 'QRCode', 'Code128', 'EAN13', 'EAN8', 'UPCA', 'DataBar', 'ITF'] as const

/** Where the reader's program lies: with our own files, never on somebody else's server. */
export const readerAt = (address: string): void => void prepareZXingModule({ overrides: { locateFile: () => address } })

/** What the bar codes in a picture say, as a scanner would send it: with the prefix that tells GS1 from the rest. */
export async function readPicture(picture: ImageData): Promise<readonly string[]> {
  const found = await readBarcodes(picture, {
    formats: [...formats],
    tryHarder: true,
    textMode: 'Plain',
    maxNumberOfSymbols: 4,
  })
  return found.filter(code => code.isValid).map(code => `${code.symbologyIdentifier}${code.text}`)
}
