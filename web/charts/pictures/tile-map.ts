/**
 * The 34 divisions of province level as one square each, at their rough place: column from the west, row from the
 * north. It is a diagram of places and no map: it has no borders and no areas.
 */
export const tiles: Readonly<Record<string, readonly [column: number, row: number]>> = {
  黑龙江: [7, 0],
  内蒙古: [5, 1],
  吉林: [7, 1],
  新疆: [0, 2],
  甘肃: [2, 2],
  宁夏: [3, 2],
  山西: [4, 2],
  北京: [5, 2],
  天津: [6, 2],
  辽宁: [7, 2],
  青海: [1, 3],
  陕西: [3, 3],
  河南: [4, 3],
  河北: [5, 3],
  山东: [6, 3],
  西藏: [0, 4],
  四川: [2, 4],
  重庆: [3, 4],
  湖北: [4, 4],
  安徽: [5, 4],
  江苏: [6, 4],
  上海: [7, 4],
  云南: [2, 5],
  贵州: [3, 5],
  湖南: [4, 5],
  江西: [5, 5],
  浙江: [6, 5],
  广西: [3, 6],
  广东: [4, 6],
  福建: [5, 6],
  台湾: [6, 6],
  海南: [3, 7],
  澳门: [4, 7],
  香港: [5, 7],
}
export const COLUMNS = 8
export const ROWS = 8

/** The middle of a tile on axes that count from the south. */
export function middleOf(province: string): readonly [x: number, y: number] | null {
  const place = tiles[province]
  return place === undefined ? null : [place[0] + 0.5, ROWS - place[1] - 0.5]
}
