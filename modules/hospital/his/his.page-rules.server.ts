import { hisStaff } from '#modules/hospital/his/staff/his-staff.entity.ts'
import { definePageRules } from '#server/public/hooks.ts'

export const hisPageRules = definePageRules(
  { place: 'his', chapter: '计费', pages: [hisStaff] },
  {
    leaverStopped: {
      text: '规则为“是”时，在HIS离职的人员下次同步后账号停用，已登录的立即失效；员工资料保留。',
      policy: 'hisLeaver',
    },
  },
)
