import { defineEntity } from '#kernel/definition/entity.ts'
import { f } from '#kernel/definition/field.ts'

/**
 * 冻结: goods held back from one moment to the next, a lot as a whole or single pieces: from then on nothing of them
 * leaves a store, until somebody else than who froze them releases them. It moves nothing and changes no quality state.
 */
export const goodsFreeze = defineEntity({
  kind: 'goodsFreeze',
  title: '冻结记录',
  table: 'goods_freeze_row',
  key: 'goods_freeze_sn',
  scope: 'organisation',
  writers: 'HDV',
  readOnly: true,
  display: 'lot_no',
  sort: '-frozen_at,-goods_freeze_sn',
  fields: {
    scope: f.pick('冻结范围', { lot: '整批', piece: '单件' }),
    specification_sn: f.ref('规格型号', 'specification'),
    lot_no: f.lot('批号'),
    code: f.piece('院内码'),
    reason: f.text('冻结原因', { width: 200 }),
    state: f.pick('状态', { frozen: '冻结中', released: '已解除' }, { tones: { frozen: 'danger' } }),
    frozen_by: f.text('冻结人'),
    frozen_at: f.instant('冻结时间'),
    release_reason: f.text('解除原因', { width: 200 }),
    released_by: f.text('解除人'),
    released_at: f.instant('解除时间'),
  },
  search: ['lot_no', 'code'],
  calls: {
    freeze: {
      label: '冻结批次',
      tone: 'primary',
      asks: {
        code: f.text('码、批号或箱码', {
          required: true,
          max: 200,
          hint: '批号冻结整批，单件码冻结一件，箱码冻结箱内各件',
        }),
        specification_sn: f.ref('规格型号', 'specification', { hint: '同一批号有多个产品时选择' }),
        reason: f.text('冻结原因', { required: true, max: 200 }),
      },
    },
    unfreeze: {
      label: '解除冻结',
      rows: true,
      locks: true,
      asks: { release_reason: f.text('解除原因', { required: true, max: 200 }) },
    },
  },
  screens: [
    {
      route: '/commonView/stopSellList',
      tab: '冻结记录',
      title: '停售单',
      orgs: 'HDV',
      menu: '质量管理',
      purpose: '冻结立即生效：冻结中的批号、单件不能出库或使用；解除须填写原因，由冻结人以外的人办理',
      columns: [
        'scope',
        'specification_sn',
        'lot_no',
        'code',
        'reason',
        'state',
        'frozen_by',
        'frozen_at',
        'release_reason',
        'released_by',
        'released_at',
      ],
      filters: ['scope', 'specification_sn', 'lot_no', 'code', 'state', 'frozen_at'],
    },
  ],
})
