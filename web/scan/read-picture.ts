import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

/** Symbologies used on medical goods; others on a box (parcel labels) are ignored. */
const formats = ['DataMatrix', 'QRCode', 'Code128', 'EAN13', 'EAN8', 'UPCA', 'DataBar', 'ITF'] as const

/** Location of the reader's WebAssembly file: served with our own files, never from a third-party server. */
export const readerAt = (address: string): void => void prepareZXingModule({ overrides: { locateFile: () => address } })

/** The bar codes in a picture, as a scanner would send them: with the prefix that distinguishes GS1 from the rest. */
export async function readPicture(picture: ImageData): Promise<readonly string[]> {
  const found = await readBarcodes(picture, {
    formats: [...formats],
    tryHarder: true,
    textMode: 'Plain',
    maxNumberOfSymbols: 4,
  })
  return found.filter(code => code.isValid).map(code => `${code.symbologyIdentifier}${code.text}`)
}
