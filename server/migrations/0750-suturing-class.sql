-- 02-13 of the list of 2017 holds staplers, sutures and glues alike, and is named after all of them. A name that the platform wrote itself stays.
update device_class set name = '手术器械-吻（缝）合器械及材料'
 where catalogue = '2017' and code = '02-13' and name = '手术器械-吻合器（带钉）' and not is_official;
