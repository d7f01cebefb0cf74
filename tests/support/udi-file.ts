import { strToU8, zipSync } from 'fflate'

/** A device as in the regulator's file: tags by name, packs beside them. */
export type WrittenDevice = Readonly<Record<string, string | number>> & { readonly packs?: never }

const escaped = (text: string | number) => String(text).replace(/&/g, '&amp;').replace(/</g, '&lt;')

/** One device of a made-up file; omitted fields get a typical value. */
export const deviceXml = (tags: WrittenDevice, packs = ''): string => {
  const all = { versionNumber: 1, scbssfbhph: '是', scbssfbhxlh: '否', scbssfbhscrq: '是', scbssfbhsxrq: '是', ...tags }
  return `<device>${Object.entries(all)
    .map(([tag, value]) => `<${tag}>${escaped(value)}</${tag}>`)
    .join('')}<packingList>${packs}</packingList></device>`
}

/** A UDI package as the regulator publishes it. */
export const udiPackage = (...devices: readonly string[]): Buffer =>
  Buffer.from(
    zipSync({
      'UDID_DAY_UPDATE.xml': strToU8(
        `<?xml version="1.0" encoding="UTF-8"?><udid version="1.0"><devices>${devices.join('\n')}</devices></udid>`,
      ),
    }),
  )
