/** Units that measure: goods by weight, volume, length or activity are parted at will. All other units count pieces. */
const measured: ReadonlySet<string> = new Set(
  (
    '克 千克 公斤 斤 毫克 微克 吨 g kg mg μg ug 升 毫升 微升 l ml μl ul 米 厘米 毫米 m cm mm 平方米 平方厘米 立方米 ' +
    '立方厘米 m2 cm2 m3 cm3 ㎡ cc iu 国际单位 万单位'
  ).split(' '),
)

/** True if a unit counts whole pieces. */
export const isCountable = (unit: string): boolean => !measured.has(unit.trim().toLowerCase())
