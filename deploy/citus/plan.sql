-- The place of each table when the database is spread over several servers: every table once, parents before children.
-- Homes: reference (on every node), tenant (by organisation), lot, code, token (each by that key), local (on the
-- coordinator).
create temp table plan (place int generated always as identity, name text unique, home text not null, key text);
insert into plan (name, home, key)
select
  name,
  home,
  case home
    when 'tenant' then 'org_id'
    when 'lot' then 'lot_id'
    when 'code' then 'code'
    when 'token' then 'token_hash'
  end
from (values
  ('reference', array[
    'organisation', 'org_relation', 'product', 'registration_certificate', 'specification', 'pack_unit',
    'lot', 'app_user', 'role', 'user_role', 'org_change', 'organisation_past', 'product_step',
    'product_revision', 'product_past', 'product_pick', 'product_release', 'product_release_line',
    'device_class', 'dealer_check', 'granted_authorisation', 'quality_certificate', 'certificate_change',
    'udi_device', 'udi_pack',
    'udi_file', 'udi_adoption', 'licence_kind', 'licence_audit', 'menu_node', 'mother_node', 'system_role',
    'role_template', 'template_role', 'dictionary', 'dictionary_item', 'vip_level', 'video_course',
    'app_version', 'recycle_bin', 'config_item', 'org_config', 'vip_grant', 'month_sealed', 'rule_item',
    'published_template', 'template_push'
  ]),
  ('tenant', array[
    'dealer_invitation', 'recall_feedback', 'goods_freeze', 'course_like', 'setting', 'department', 'employee',
    'warehouse',
    'user_scope', 'licence', 'licence_line', 'hospital_product', 'dealer_product', 'price_agreement',
    'numbering', 'document', 'document_line', 'line_progress', 'document_history', 'recall_delivery',
    'request', 'stock_lot', 'maker_lot',
    'stock_move', 'stock_balance', 'reservation', 'consigned_out', 'consigned_move',
    'account_entry', 'account_balance', 'advance_balance', 'settlement_line', 'settlement_cover',
    'intercompany_message', 'intercompany_message_received', 'record_outbox',
    'message', 'table_layout', 'operation_log',
    'sign_in_failure',
    'registration', 'message_read', 'dealer_authorisation', 'user_department', 'audit_setting', 'audit_level',
    'document_review', 'stored_file', 'cabinet', 'cabinet_door', 'cabinet_slot', 'cabinet_event',
    'cabinet_session', 'cabinet_transaction', 'cabinet_command', 'cabinet_nonce', 'cabinet_comparison',
    'cabinet_reading', 'shared_cabinet_transaction', 'shared_cabinet_stock', 'cabinet_shared',
    'cabinet_permission', 'course_play', 'notice', 'notice_delivery', 'error_record', 'sent_message',
    'sent_delivery', 'message_receipt', 'outbound_call', 'outbound_attempt', 'accounting_period',
    'store_lock', 'temperature_log', 'weighing_plate', 'export_job', 'trade_record', 'warehouse_product',
    'carried_size', 'warning', 'warning_count', 'warning_day', 'warning_setting', 'use_reminder', 'insurance_code',
    'document_print', 'document_first_print', 'print_template', 'print_template_version', 'label_print',
    'product_barcode', 'barcode_rule', 'issued_label', 'label_reading',
    'count_plan', 'report_scheme', 'custom_type', 'typed_product',
    'store_area', 'shelf', 'shelf_place', 'common_product', 'common_product_line', 'licence_setting',
    'pack_template', 'pack_template_line', 'pack', 'opened_box', 'signature', 'document_signature', 'signing_pin',
    'signature_withdrawal', 'department_quota', 'temperature_reading',
     'lease_area', 'lease_contract', 'lease_line', 'lease_fee', 'area_reading', 'rented_area',
    'tools_template', 'tools_template_line', 'operation_kit', 'operation_kit_line', 'made_kit', 'made_kit_line',
    'tools_kit', 'tools_kit_line', 'surgical_tool', 'surgical_tool_event', 'implant_kit', 'surgery_booking',
    'planned_request_line',
    'operation_path', 'operation_path_line',
    'e_invoice', 'e_invoice_line', 'e_invoice_channel',
    'analyser', 'refrigerator', 'refrigerator_reading', 'reagent', 'reagent_step',
    'advance_line', 'quality_line', 'document_licence', 'licence_reminder', 'licence_access',
    'licence_renewal', 'price_history', 'catalogue_proposal', 'month_opening', 'month_figure',
    'hospital_rule', 'hospital_rule_change', 'markup_rule', 'supplier_rate', 'supplier_rate_step',
    'voucher_account', 'bank_word', 'column_mapping', 'past_limit', 'limit_breach', 'sealed_figure', 'restock_handling',
    'supplier_service_score', 'patient_follow_up', 'staff_file',
    'his_item', 'his_match', 'his_match_version', 'his_match_skip',
    'use_check', 'use_check_event', 'his_charge', 'charge_link',
    'charge_request', 'charge_request_line', 'his_charge_day', 'charge_month',
    'his_department', 'his_staff', 'his_staff_change', 'his_field', 'his_grn', 'his_receipt',
    'his_visit', 'his_operation', 'his_message', 'his_income', 'code_scan'
  ]),
  ('lot', array['unit', 'trace_event', 'lot_org', 'lot_recall']),
  ('code', array['unit_code']),
  ('token', array['session', 'captcha', 'sms_code', 'allowance', 'open_request', 'registration_draft']),
  ('local', array['schema_version', 'schema_object_version', 'background_job'])
) h(home, names)
cross join unnest(names) with ordinality n(name, i)
order by array_position(array['reference', 'tenant', 'lot', 'code', 'token', 'local'], home), i;
