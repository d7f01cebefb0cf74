// npm run same-names: lists names and codes that differ only in case, width or blanks. Works beside a running server.
import { pairsOfOneName } from '../app/operations/same-names.ts'
import { operate } from './operator.mjs'

await operate(async sql => {
  const pairs = await pairsOfOneName(sql)
  for (const { table_name, field, org_name, first_name, other_name } of pairs)
    console.log(`${org_name ?? '全平台'}  ${table_name}.${field}：【${first_name}】与【${other_name}】`)
  console.log(pairs.length ? `${pairs.length} 对需要改名` : '没有重复的名称或编码')
  return 0
})
