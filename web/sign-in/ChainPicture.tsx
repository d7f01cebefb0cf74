import css from '#web/sign-in/SignInPage.module.css'

const stations = [
  { x: 60, y: 150, name: '厂商', step: '生产赋码' },
  { x: 220, y: 96, name: '经销商', step: '验收入库' },
  { x: 380, y: 130, name: '医院', step: '寄售备货' },
  { x: 540, y: 66, name: '科室', step: '扫码使用' },
] as const

/** The supply chain in one drawing: four stations, and one code that passes through all of them. */
export function ChainPicture() {
  const path = stations.map(({ x, y }, at) => (at === 0 ? `M${x} ${y}` : `S${x - 80} ${y} ${x} ${y}`)).join(' ')
  return (
    <svg
      className={css.chain}
      viewBox="0 0 620 230"
      role="img"
      aria-label="追溯链：厂商生产赋码，经销商验收入库，医院寄售备货，科室扫码使用"
    >
      <path d={path} className={css.thread} />
      <path d={path} className={css.pulse} />
      {stations.map(({ x, y, name, step }) => (
        <g key={name} transform={`translate(${x} ${y})`}>
          <circle r="19" className={css.halo} />
          <circle r="8" className={css.dot} />
          <text y="42" className={css.name}>
            {name}
          </text>
          <text y="61" className={css.step}>
            {step}
          </text>
        </g>
      ))}
      <g transform="translate(60 22)" className={css.code} aria-hidden>
        {[0, 4, 7, 13, 16, 22, 26, 29, 35, 39, 45, 48, 52].map((at, index) => (
          <rect key={at} x={at} width={index % 3 === 0 ? 2.6 : 1.4} height="24" />
        ))}
        <text x="66" y="11">
          (01)06901234567892
        </text>
        <text x="66" y="24">
          (17)271231(10)B2407
        </text>
      </g>
    </svg>
  )
}
