import { BusinessError } from '#kernel/rules/errors.ts'
import type { PackedFiles, ListActionHandler } from '#server/public/records.ts'
import { documentScopeSql, type Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

const types: Readonly<Record<string, string>> = {
  conformity: '合格证',
  inspection: '检验报告',
  sterilisation: '灭菌证明',
  coldChain: '冷链记录',
}
type Lot = {
  product: string
  size: string
  lot_no: string
  certificates: { type: string; files: string[]; no: string | null }[] | null
}

/** Lots of a document that the reader sees, each with its current certificates that were not refused. */
const lotsOf = (tx: Tx, session: Session, sn: string) => tx<Lot[]>`
  select p.name as product, s.name as size, x.lot_no,
         (select jsonb_agg(jsonb_build_object('type', c.certificate_type, 'files', to_jsonb(c.attachments), 'no',
           c.certificate_no) order by c.certificate_type, c.id)
            from quality_certificate c where c.specification_id = x.specification_id and c.lot_no = x.lot_no
              and c.is_current and c.state <> 'refused') as certificates
    from (select distinct l.specification_id, l.lot_no from document d join document_line l on l.org_id = d.org_id
      and l.document_id = d.id
           where d.org_id = ${session.org.id} and d.sn = ${sn} and d.state <> 'deleted' and l.lot_no is not null
             and ${documentScopeSql(tx, session)}
             and l.specification_id is not null) x
    join specification s on s.id = x.specification_id join product p on p.id = s.product_id order by p.name, s.name,
      x.lot_no`

const plainName = (text: string): string => text.replace(/[\\/:*?"<>|\s]+/g, '_').slice(0, 60)

/** 按单据打包下载: the certificates of all lots of a document, and a list of lots that have none. */
export async function packedLicences(tx: Tx, session: Session, sn: string): Promise<PackedFiles> {
  const lots = await lotsOf(tx, session, sn)
  if (lots.length === 0) {
    const [licence] = await tx`
        select 1 from document d
         where d.org_id = ${session.org.id} and d.sn = ${sn} and d.state <> 'deleted'
           and ${documentScopeSql(tx, session)} limit 1`
    throw new BusinessError('rule', licence ? `单据${sn}没有带批号的产品` : `没有编号为${sn}的单据，请核对`)
  }
  const files = lots.flatMap(lot =>
    (lot.certificates ?? []).flatMap(licence =>
      licence.files.map((name, at) => ({
        name,
        as:
          `${plainName(lot.product)}/` +
          plainName(`${lot.size}_${lot.lot_no}_${types[licence.type] ?? licence.type}${at > 0 ? `_${at + 1}` : ''}`) +
          `.${name.split('.').at(-1)}`,
      })),
    ),
  )
  const bare = lots.filter(lot => !lot.certificates?.some(licence => licence.files.length > 0))
  const notes = [
    `单据${sn}：${lots.length}个批号，${files.length}个文件`,
    ...(bare.length === 0 ? ['全部批号都有证明文件'] : ['以下批号没有证明文件：']),
    ...bare.map(lot => `${lot.product} ${lot.size} 批号${lot.lot_no}`),
  ]
  return { title: `${sn}合格证明`, files, notes }
}

/** Announces the content of the archive, and where to download it. */
export const packLicences: ListActionHandler = async ({ tx, session, asked }) => {
  const sn = String(asked.document_sn)
  const { files, notes } = await packedLicences(tx, session, sn)
  const bare = notes.length - 2
  return {
    said: `${files.length}个文件已打包${notes[1]?.startsWith('全部') ? '' : `，${bare}个批号没有证明文件，见清单`}`,
    link: `/v1/business/qualityCertificate/packed?sn=${encodeURIComponent(sn)}`,
  }
}
