/**
 * The known kinds of licences; the word is the key: users read it and rules name it. The table `licence_kind` holds
 * the same.
 */
const types = [
  '营业执照',
  '医疗器械经营许可证',
  '第二类医疗器械经营备案凭证',
  '医疗器械生产许可证',
  '第一类医疗器械生产备案凭证',
  '医疗器械注册证/备案凭证',
  '医疗机构执业许可证',
  '诊所备案凭证',
  '事业单位法人证书',
  '民办非企业单位登记证书',
  '放射诊疗许可证',
  '大型医用设备配置许可证',
  '授权书',
  '进口总代理授权书',
  '进口代理人授权',
  '产品授权书',
  '受托生产协议',
  '质量保证协议',
  '质量体系调查表',
  '质量体系认证证书',
  '法人授权委托书（销售人员）',
  '销售人员身份证',
  '法人授权委托书（跟台人员）',
  '采购人员委托书',
  '收货地址及开票信息',
  '医联体合作协议',
  '随货同行单样式及印章备案',
  '开票信息/开户许可证',
  '其他',
] as const

export type LicenceType = (typeof types)[number]
export const licenceTypes = Object.fromEntries(types.map(type => [type, type])) as Record<LicenceType, string>

/** Licences a dealer or manufacturer needs to trade. */
export const permits: readonly string[] = [
  '医疗器械经营许可证',
  '第二类医疗器械经营备案凭证',
  '医疗器械生产许可证',
  '医疗机构执业许可证',
]

/** Licences of hospitals and clinics; they name subjects (诊疗科目). */
export const practice = ['医疗机构执业许可证', '诊所备案凭证'] as const

/** Licences by which one organisation authorises another to sell its goods; their lines name the goods. */
export const authorising: readonly string[] = ['授权书', '产品授权书']

/** Licences on which an admission is based: the platform checks each new one before it counts. */
export const auditedByPlatform: readonly string[] = ['营业执照', ...permits, '第一类医疗器械生产备案凭证']

/** Licences the law requires for trading in devices (医疗器械监督管理条例, chapters 3 and 4): their expiry stops the trade. */
export const lawfulTypes: readonly string[] = [...auditedByPlatform, '医疗器械注册证/备案凭证']

/** The licences that a partner must hold for a device class: one of each group (医疗器械经营监督管理办法 §4, 医疗器械生产监督管理办法 §9). */
export function demandedOf(
  partner: 'P' | 'H' | 'D' | 'V',
  classes: ReadonlySet<string>,
): readonly (readonly string[])[] {
  if (partner === 'H') return [practice]
  if (partner === 'P') return []
  const identity = ['营业执照']
  if (partner === 'D') {
    if (classes.has('III')) return [identity, ['医疗器械经营许可证']]
    return classes.has('II') ? [identity, ['医疗器械经营许可证', '第二类医疗器械经营备案凭证']] : [identity]
  }
  // A foreign manufacturer has no production licence here: its agent's licences count instead.
  const making = ['医疗器械生产许可证', '医疗器械经营许可证', '进口总代理授权书', '进口代理人授权']
  if (classes.has('II') || classes.has('III')) return [identity, making]
  return classes.has('I') ? [identity, [...making, '第一类医疗器械生产备案凭证']] : [identity]
}

/**
 * A link from a partner's row, which has its `system_type`, to its licences in the matching archive; `name` is the
 * field with its name.
 */
export const linkToLicences = <Name extends string>(name: Name) =>
  ({
    label: '查看证照',
    by: 'system_type',
    to: {
      1: '/commonView/licRecord/hospitalLic',
      2: '/commonView/licRecord/dealerLic',
      3: '/commonView/licRecord/vendorLic',
    },
    tab: '证照',
    with: { holder_name: `$${name}` },
  }) as const
