-- Losses and issues have one page each: whoever had one of the pages that no menu lists any more has it.
update role set flags = flags || array['page:/commonView/frmLoss'], version = version + 1
where flags && array['page:/commonView/frmLossCheck','page:/commonView/reportingLoss']
  and not flags && array['page:/commonView/frmLoss'];

update role set flags = flags || array['page:/commonView/grantOdo'], version = version + 1
where flags && array['page:/commonView/grantOdoWarehouse','page:/hospital/hospitalgrantOdo']
  and not flags && array['page:/commonView/grantOdo'];
