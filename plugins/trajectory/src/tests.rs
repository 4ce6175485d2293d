//! Calls in each notation, and what every mode makes of them.

use crate::{tool_counts, tool_f1, trajectory};
use rubric_host_sdk::{parse, respond, Answer, Request, Result};
use rubric_host_text::vectors::json;

fn ask(scorer: fn(&Request) -> Result<Answer>, case: &str, config: &str) -> String {
    let request = format!(r#"{{"contract":1,"case":{case},"config":{config}}}"#);
    let answer = respond(request.as_bytes(), scorer);
    let answer = parse(std::str::from_utf8(&answer).unwrap()).unwrap();
    match (answer.get("score"), answer.get("unscored"), answer.get("error")) {
        (Some(n), None, None) => json(n),
        (None, Some(_), None) => "unscored".into(),
        (None, None, Some(e)) => format!("error: {}", e.as_str().unwrap()),
        _ => panic!("{answer:?}"),
    }
}

#[test]
fn calls_are_read_in_every_notation() {
    let expected = r#"{"expected":[{"tool":"f","args":{"a":1}}]}"#;
    for output in [
        r#"[{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":"{\"a\": 1.0}"}}]}]"#,
        r#"[{"role":"assistant","tool_calls":[{"function":"f","arguments":{"a":1}}]}]"#,
        r#"[{"role":"ai","tool_calls":[{"name":"f","args":{"a":1}}]}]"#,
        r#"[{"role":"assistant","toolCalls":[{"tool":"f","input":{"a":1}}]}]"#,
        r#"[{"role":"assistant","content":[{"type":"text","text":"x"},{"type":"tool_use","name":"f","input":{"a":1}}]}]"#,
        r#"[{"type":"function_call","name":"f","arguments":"{\"a\":1}"}]"#,
        r#"{"messages":[{"role":"assistant","tool_calls":[{"name":"f","args":{"a":1}}]}]}"#,
        r#"{"tool":"f","args":{"a":1}}"#,
        r#""[{\"tool\":\"f\",\"args\":{\"a\":1}}]""#,
        r#""```json\n[{\"tool\":\"f\",\"args\":{\"a\":1}}]\n```""#,
        r#"[{"role":"assistant","content":null,"tool_calls":null,"function_call":{"name":"f","arguments":"{\"a\":1}"}}]"#,
        r#"[{"role":"model","parts":[{"text":"x"},{"functionCall":{"name":"f","args":{"a":1}}}]}]"#,
        r#"{"functionCall":{"name":"f","args":{"a":1}}}"#,
        r#"{"function_call":{"name":"f","arguments":"{\"a\":1}"}}"#,
        r#"[{"role":"assistant","content":[{"type":"tool-call","toolName":"f","input":{"a":1}}]}]"#,
        r#"[{"role":"assistant","content":[{"toolUse":{"name":"f","input":{"a":1}}}]}]"#,
        r#"[{"type":"reasoning"},{"type":"function_call","name":"f","arguments":"{\"a\":1}"},{"type":"function_call_output","call_id":"1","output":"x"}]"#,
        r#""<think>Or <tool_call>{\"name\":\"g\",\"arguments\":{}}</tool_call>?</think><tool_call>{\"name\":\"f\",\"arguments\":{\"a\":1}}</tool_call>""#,
        r#""Thought: I search.\nAction:\n```json\n{\"action\": \"f\", \"action_input\": {\"a\": 1}}\n```""#,
        r#""I call <tool_call>{\"name\":\"f\",\"arguments\":{\"a\":1}}</tool_call>""#,
    ] {
        assert_eq!(ask(trajectory, &format!(r#"{{"output":{output}}}"#), expected), "1", "{output}");
    }
}

#[test]
fn modes_compare_order_and_number() {
    let call = |names: &str| {
        let list: Vec<String> = names.chars().map(|c| format!(r#"{{"tool":"{c}","args":{{"n":1}}}}"#)).collect();
        format!("[{}]", list.join(","))
    };
    for (mode, got, want, score, partial) in [
        ("exact", "ab", "ab", "1", "1"),
        ("exact", "ba", "ab", "0", "0"),
        ("exact", "abc", "ab", "0", "1"),
        ("exact", "a", "ab", "0", "0.5"),
        ("exact", "", "", "1", "1"),
        ("exact", "a", "", "0", "0"),
        ("in_order", "xaxb", "ab", "1", "1"),
        ("in_order", "ba", "ab", "0", "0.5"),
        ("any_order", "ba", "ab", "1", "1"),
        ("any_order", "bab", "ab", "0", "1"),
        ("superset", "bax", "ab", "1", "1"),
        ("superset", "ax", "ab", "0", "0.5"),
        ("subset", "b", "ab", "1", "1"),
        ("subset", "bx", "ab", "0", "0.5"),
        ("subset", "", "ab", "1", "1"),
        ("strict", "ab", "ab", "1", "1"),
    ] {
        let case = format!(r#"{{"output":{},"expected_tool_calls":{}}}"#, call(got), call(want));
        let config = |partial: bool| format!(r#"{{"mode":"{mode}","partial":{partial}}}"#);
        assert_eq!(ask(trajectory, &case, &config(false)), score, "{mode} {got} {want}");
        assert_eq!(ask(trajectory, &case, &config(true)), partial, "{mode} {got} {want}, partial");
    }
}

#[test]
fn arguments_are_compared_by_their_rule() {
    for (args, got, want, score) in [
        (r#""exact""#, r#"{"a":1,"b":[1,2]}"#, r#"{"b":[1,2],"a":1.0}"#, "1"),
        (r#""exact""#, r#"{"a":1}"#, r#"{"a":"1"}"#, "0"),
        (r#""ignore""#, r#"{"a":1}"#, r#"{"a":2}"#, "1"),
        (r#""superset""#, r#"{"a":1,"b":2}"#, r#"{"a":1}"#, "1"),
        (r#""superset""#, r#"{"a":1}"#, r#"{"a":1,"b":2}"#, "0"),
        (r#""subset""#, r#"{"a":1}"#, r#"{"a":1,"b":2}"#, "1"),
        (r#"["q.x"]"#, r#"{"q":{"x":1,"y":2}}"#, r#"{"q":{"x":1}}"#, "1"),
        (r#"["q.x"]"#, r#"{"q":{"x":2}}"#, r#"{"q":{"x":1}}"#, "0"),
        (r#""exact""#, r#"{"a":1}"#, r#""any""#, "1"),
    ] {
        let case = format!(r#"{{"output":[{{"tool":"f","args":{got}}}],"expected_tool_calls":[{{"tool":"f","args":{want}}}]}}"#);
        assert_eq!(ask(trajectory, &case, &format!(r#"{{"args":{args}}}"#)), score, "{args} {got} {want}");
    }
    let case = r#"{"output":[{"tool":"f","args":{"l":[2,1],"x":0.1001}}],"expected_tool_calls":[{"tool":"f","args":{"l":[1,2],"x":0.1}}]}"#;
    assert_eq!(ask(trajectory, case, r#"{"ignore_order":true,"tolerance":0.001}"#), "1");
    assert_eq!(ask(trajectory, case, r#"{"tool_args":{"f":"ignore"}}"#), "1");
}

#[test]
fn cases_without_calls_have_stated_answers() {
    for (scorer, case, config, want) in [
        (trajectory as fn(&Request) -> Result<Answer>, r#"{"expected_tool_calls":[]}"#, "{}", "unscored"),
        (trajectory, r#"{"output":"hello"}"#, "{}", "unscored"),
        (trajectory, r#"{"output":"","expected_tool_calls":[{"tool":"f"}]}"#, "{}", "unscored"),
        (trajectory, r#"{"output":"","expected_tool_calls":[{"tool":"f"}]}"#, r#"{"in_text":true}"#, "0"),
        (trajectory, r#"{"output":"no call","expected_tool_calls":[]}"#, "{}", "unscored"),
        (trajectory, r#"{"output":"no call","expected_tool_calls":[]}"#, r#"{"in_text":true}"#, "1"),
        (trajectory, r#"{"output":"{\"answer\": 5}","expected_tool_calls":[]}"#, "{}", "unscored"),
        (trajectory, r#"{"output":"{\"answer\": 5}","expected_tool_calls":[]}"#, r#"{"in_text":true}"#, "1"),
        (trajectory, r#"{"tool_calls":[],"expected_tool_calls":[{"tool":"f"}]}"#, "{}", "0"),
        (trajectory, r#"{"tool_calls":[],"expected_tool_calls":[]}"#, "{}", "1"),
        (trajectory, r#"{"tool_calls":[],"references":["Paris"]}"#, "{}", "unscored"),
        (trajectory, r#"{"tool_calls":[{"function_call":{"name":"rm","arguments":"{}"}}],"expected_tool_calls":[]}"#, "{}", "0"),
        (trajectory, r#"{"tool_calls":[{"functionCall":{"name":"rm","args":{}}}],"expected_tool_calls":[]}"#, "{}", "0"),
        (trajectory, r#"{"tool_calls":[{}],"expected_tool_calls":[]}"#, "{}", "error: the case's tool_calls: an element is neither a message nor a tool call: it has no role and no name"),
        (trajectory, r#"{"tool_calls":["rm"],"expected_tool_calls":[]}"#, "{}", "error: the case's tool_calls: expected a message or a tool call, got a string"),
        (trajectory, r#"{"tool_calls":[{"function":{"arguments":"{}"}}],"expected_tool_calls":[]}"#, "{}", "error: the case's tool_calls: a tool call has no name"),
        (trajectory, r#"{"tool_calls":"```json\n[{\"name\":\"rm\",\"arguments\":{}}]\n```","expected_tool_calls":[]}"#, "{}", "0"),
        (trajectory, r#"{"tool_calls":"[{\"name\":\"rm\",\"arguments\":{}]","expected_tool_calls":[]}"#, "{}", "error: the case's tool_calls: the calls are not JSON at byte 28: no comma"),
        (trajectory, r#"{"output":[{"role":"assistant","function_call":{"name":"rm","arguments":"{}"}}],"expected_tool_calls":[]}"#, "{}", "0"),
        (trajectory, r#"{"tool_calls":[{"function":{"name":"f","arguments":""}}],"expected_tool_calls":[{"name":"f","arguments":{}}]}"#, "{}", "1"),
        (trajectory, r#"{"output":[{"role":"assistant","tool_calls":[{}]}],"expected_tool_calls":[]}"#, "{}", "error: the case's output: a tool call has no name"),
        (trajectory, r#"{"output":5,"expected_tool_calls":[]}"#, "{}", "error: the case's output: expected messages or tool calls, got a number"),
        (trajectory, r#"{"output":[],"expected_tool_calls":[]}"#, r#"{"mode":"x"}"#, "error: unknown mode \"x\": use exact, in_order, any_order, subset, allowed, superset or strict"),
        (trajectory, r#"{"output":[{"lc":1,"type":"constructor","id":["langchain_core","messages","AIMessage"],"kwargs":{"content":"","tool_calls":[{"name":"f","args":{}}]}},{"lc":1,"type":"constructor","id":["langchain_core","messages","ToolMessage"],"kwargs":{"content":"5","name":"f"}}],"expected_tool_calls":[{"tool":"f"}]}"#, "{}", "1"),
        (trajectory, r#"{"output":{"object":"response","output":[{"type":"function_call","name":"f","arguments":"{}"},{"type":"message","role":"assistant","content":[]}]},"expected_tool_calls":[{"tool":"f"}]}"#, "{}", "1"),
        (trajectory, r#"{"output":{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]}}]},"expected_tool_calls":[{"tool":"f"}]}"#, "{}", "1"),
        (trajectory, r#"{"output":{"output":{"message":{"role":"assistant","content":[{"toolUse":{"name":"f","input":{}}}]}},"stopReason":"tool_use"},"expected_tool_calls":[{"tool":"f"}]}"#, "{}", "1"),
        (trajectory, r#"{"output":"{\"choices\":[{\"message\":{\"role\":\"assistant\",\"tool_calls\":[{\"function\":{\"name\":\"f\"}}]}}]}","expected_tool_calls":[{"tool":"f"}]}"#, "{}", "1"),
        (trajectory, r#"{"tool_calls":{"choices":[{},{}]},"expected_tool_calls":[]}"#, "{}", "error: the case's tool_calls: expected one of the choices, got 2"),
        (trajectory, r#"{"output":"{\"output\": [], \"content\": {\"a\": 1}}","expected_tool_calls":[]}"#, "{}", "unscored"),
        (trajectory, r#"{"tool_calls":{"name":"f","args":{},"output":[1]},"expected_tool_calls":[{"tool":"f"}]}"#, "{}", "1"),
        (trajectory, r#"{"tool_calls":[{"name":"f","type":"FUNCTION","output":3,"inputParameters":{"x":1}}],"expected_tool_calls":[{"name":"f","input_parameters":{"x":1}}]}"#, "{}", "1"),
        (trajectory, r#"{"tool_calls":[{"name":"f","inputParameters":{"x":1}}],"expected_tool_calls":[{"name":"f","inputParameters":{"x":2}}]}"#, "{}", "0"),
        (trajectory, r#"{"output":"[{\"name\":\"f\",\"inputParameters\":{}}]","expected_tool_calls":[]}"#, "{}", "0"),
        (tool_f1, r#"{"output":[{"tool":"f"},{"tool":"g"}],"expected_tool_calls":[{"tool":"g"}]}"#, "{}", "0.6666666666666666"),
        (tool_f1, r#"{"output":"[]","expected_tool_calls":[]}"#, "{}", "1"),
        (tool_counts, r#"{"output":[{"tool":"f"},{"tool":"f"}]}"#, r#"{"minimums":{"f":2,"g":1}}"#, "0.5"),
        (tool_counts, r#"{"output":""}"#, "{}", "error: config has no minimums: give the least number of calls for each tool"),
    ] {
        assert_eq!(ask(scorer, case, config), want, "{case} {config}");
    }
}

#[test]
fn calls_are_paired_so_that_most_match() {
    // A call without args in what is expected may have any: it must leave the others theirs.
    let (any, one, two) = (r#"{"tool":"f"}"#, r#"{"tool":"f","args":{"n":1}}"#, r#"{"tool":"f","args":{"n":2}}"#);
    let near = r#"{"tool":"f","args":{"n":1.5}}"#;
    let list = |calls: &[&str]| format!("[{}]", calls.join(","));
    for (mode, got, want, config, score) in [
        ("any_order", list(&[one, two]), list(&[any, one]), "", "1"),
        ("any_order", list(&[two, one]), list(&[any, any]), "", "1"),
        ("any_order", list(&[two, two]), list(&[any, one]), "", "0"),
        ("any_order", list(&[two, two]), list(&[any, one]), r#","partial":true"#, "0.5"),
        ("superset", list(&[one, two]), list(&[any, one]), "", "1"),
        ("subset", list(&[two, one]), list(&[any, two]), "", "1"),
        ("subset", list(&[two, one, one]), list(&[any, two]), "", "0"),
        ("allowed", list(&[two, one, one]), list(&[any, two]), "", "1"),
        ("strict", format!(r#"[{{"role":"assistant","tool_calls":{}}}]"#, list(&[one, two])), format!(r#"[{{"role":"assistant","tool_calls":{}}}]"#, list(&[any, one])), "", "1"),
        ("any_order", list(&[two, near]), list(&[near, one]), r#","tolerance":0.6"#, "1"),
    ] {
        let case = format!(r#"{{"output":{got},"expected_tool_calls":{want}}}"#);
        assert_eq!(ask(trajectory, &case, &format!(r#"{{"mode":"{mode}"{config}}}"#)), score, "{mode} {got} {want}");
    }
}

#[test]
fn many_calls_are_bounded() {
    let list = format!("[{}]", vec![r#"{"tool":"f"}"#; 600].join(","));
    let case = format!(r#"{{"output":{list},"expected_tool_calls":{list}}}"#);
    assert_eq!(ask(trajectory, &case, r#"{"mode":"any_order"}"#), "unscored");
}
