// npm run figures: compares every place that shows a measure with its fact. `-- --sealed` lists figures of sealed
// months that are others today, `-- --seal` writes down those of closed months. Works beside a running server.
import { operate } from './operator.mjs'

/** Prints what differs. */
async function compareAll(sql) {
  const { allFigures } = await import('../app/operations/figures.ts')
  let [places, wrong] = [0, 0]
  for await (const { organisation, begin_date, end_date, places: compared, differences } of allFigures(sql)) {
    places += compared
    wrong += differences.length
    for (const { measure, report, place, value, shown } of differences)
      console.log(
        `${organisation}  ${begin_date} 至 ${end_date}  ${measure} = ${value}，${report} 按 ${place} 为 ${shown}`,
      )
  }
  console.log(wrong ? `${places} 处中有 ${wrong} 处不一致` : `${places} 处数字一致`)
  return wrong ? 1 : 0
}

/** Prints month, figure, before and after. */
async function listSealed(sql) {
  const { changedFigures } = await import('../server/reports/sealed-figures.ts')
  let changed = 0
  for await (const { organisation, month, figure, before, after } of changedFigures(sql)) {
    changed += 1
    console.log(`${organisation}  ${month}  ${figure}  封存 ${before}  现在 ${after}`)
  }
  console.log(changed ? `${changed} 个封存数字与现在不同，封存的数字保留不变` : '封存的数字与现在一致')
  return 0
}

async function seal(sql) {
  const { sealFigures } = await import('../server/reports/sealed-figures.ts')
  console.log(`已封存 ${await sealFigures(sql)} 个已结账月份的数字`)
  return 0
}

await operate(async sql => {
  const { registerModules } = await import('../app/composition.ts')
  registerModules()
  if (process.argv.includes('--sealed')) return listSealed(sql)
  return process.argv.includes('--seal') ? seal(sql) : compareAll(sql)
})
